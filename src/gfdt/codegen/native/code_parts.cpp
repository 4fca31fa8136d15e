#include "gfdt/codegen/native/code_parts.hpp"

#include <algorithm>

namespace gfdt::codegen {
namespace {

/// Approximate number of machine instructions of an elaborate operation.
constexpr std::size_t elaborate_size = 40;
/// Code of this size compiles in about 2 s, code of three times this size in 28 s.
constexpr std::size_t longest_code = 15000;
/// Instructions per part.
constexpr std::size_t part_length = 250;

/// Size of the code of a body. Each enclosing loop doubles it, with a second copy for the sites near the ends.
std::size_t code_size(const std::vector<Instruction>& body, std::size_t depth) {
  std::size_t size = 0;
  for (const Instruction& i : body) size += is_elaborate(i.op) ? elaborate_size : 1;
  return size << depth;
}

/// Index of the part that contains an instruction; -1 for the loop itself.
int part_of(const std::vector<CodePart>& parts, std::size_t depth, std::size_t instruction) {
  const auto part = std::ranges::find_if(
      parts, [&](const CodePart& p) { return p.depth == depth && p.first <= instruction && instruction < p.end; });
  return part == parts.end() ? -1 : static_cast<int>(part - parts.begin());
}

/// Calls `visit(instruction, part)` for all instructions of a loop.
template <class Visit>
void for_each_instruction(const Loop& loop, const std::vector<CodePart>& parts, const Visit& visit) {
  for (std::size_t d = 0; d < loop.bodies.size(); ++d)
    for (std::size_t i = 0; i < loop.bodies[d].size(); ++i) visit(loop.bodies[d][i], part_of(parts, d, i));
}

/// Assigns a slot to each temporary that is used outside of the part that computes it.
void assign_slots(const Loop& loop, CodeParts& division) {
  std::vector<int> home(division.slot.size(), -1);
  for_each_instruction(loop, division.parts, [&](const Instruction& i, int part) {
    if (i.target.kind == Operand::Kind::temporary) home[static_cast<std::size_t>(i.target.index)] = part;
  });
  const auto use = [&](const Operand& operand, int part) {
    if (operand.kind != Operand::Kind::temporary) return;
    const auto temporary = static_cast<std::size_t>(operand.index);
    if (home[temporary] != part && division.slot[temporary] < 0) division.slot[temporary] = division.slots++;
  };
  for_each_instruction(loop, division.parts, [&](const Instruction& i, int part) {
    for (const Operand& operand : {i.a, i.b, i.c}) use(operand, part);
  });
  for (const Accumulation& a : loop.accumulations) use(a.value, -1);
}

}  // namespace

bool is_elaborate(Op op) {
  switch (op) {
    case Op::power:
    case Op::exp:
    case Op::log:
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
    case Op::atan:
    case Op::erf:
      return true;
    default:
      return false;
  }
}

CodeParts divide(const Loop& loop) {
  CodeParts division;
  division.slot.assign(static_cast<std::size_t>(loop.temporaries), -1);
  for (std::size_t d = 0; d < loop.bodies.size(); ++d) {
    const std::size_t length = loop.bodies[d].size();
    if (code_size(loop.bodies[d], d) <= longest_code) continue;
    for (std::size_t first = 0; first < length; first += part_length)
      division.parts.push_back({d, first, std::min(first + part_length, length)});
  }
  assign_slots(loop, division);
  return division;
}

}  // namespace gfdt::codegen

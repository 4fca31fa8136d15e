#include "gfdt/gpu/codegen/group_phases.hpp"

#include <algorithm>

namespace gfdt::codegen {
namespace {

bool meet(const std::vector<RowRange>& some, const std::vector<RowRange>& others) {
  return std::ranges::any_of(some, [&](const RowRange& a) {
    return std::ranges::any_of(
        others, [&](const RowRange& b) { return a.region == b.region && a.first < b.end && b.first < a.end; });
  });
}

bool waits_for(const Piece& later, const Piece& earlier) {
  return meet(later.reads, earlier.writes) || meet(later.writes, earlier.writes) || meet(later.writes, earlier.reads);
}

}  // namespace

Piece piece_of(const Program& program, const Loop& loop) {
  Piece piece;
  const auto note = [&](std::vector<RowRange>& rows, const Operand& operand) {
    if (operand.kind != Operand::Kind::element) return;
    const int number = loop.elements[static_cast<std::size_t>(operand.index)].buffer;
    const Buffer& buffer = program.buffers[static_cast<std::size_t>(number)];
    rows.push_back({buffer.region, buffer.first_row, buffer.first_row + buffer.field.sites()});
  };
  for (const auto& body : loop.bodies)
    for (const Instruction& i : body) {
      for (const Operand* operand : {&i.a, &i.b, &i.c}) note(piece.reads, *operand);
      note(piece.writes, i.target);
    }
  for (const Accumulation& a : loop.accumulations) {
    note(piece.reads, a.value);
    note(piece.writes, a.target);
  }
  return piece;
}

std::string in_phases(std::span<const Piece> pieces) {
  std::vector<std::string> phases;
  std::vector<std::size_t> phase_of;
  for (const Piece& piece : pieces) {
    std::size_t phase = 0;
    for (std::size_t earlier = 0; earlier < phase_of.size(); ++earlier)
      if (waits_for(piece, pieces[earlier])) phase = std::max(phase, phase_of[earlier] + 1);
    phase_of.push_back(phase);
    if (phases.size() <= phase) phases.resize(phase + 1);
    phases[phase] += "    {\n" + piece.text + "    }\n";
  }
  std::string text;
  for (std::size_t i = 0; i < phases.size(); ++i) text += (i > 0 ? "    __syncthreads();\n" : "") + phases[i];
  return text;
}

}  // namespace gfdt::codegen

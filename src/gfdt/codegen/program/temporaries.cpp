#include "gfdt/codegen/program/temporaries.hpp"

#include <algorithm>
#include <vector>

namespace gfdt::codegen {
namespace {

struct Life {
  int defined_in = -1;  ///< index of the body
  int last_body = -1;
  int last_use = -1;  ///< instruction in last_body
};

}  // namespace

void share_temporaries(Loop& loop) {
  std::vector<Life> lives(static_cast<std::size_t>(loop.temporaries));
  auto temporary = [](const Operand& o) { return o.kind == Operand::Kind::temporary; };
  auto life = [&](const Operand& o) -> Life& { return lives[static_cast<std::size_t>(o.index)]; };
  int bodies = static_cast<int>(loop.bodies.size());
  for (int body = 0; body < bodies; ++body) {
    const auto& code = loop.bodies[static_cast<std::size_t>(body)];
    for (int i = 0; i < static_cast<int>(code.size()); ++i) {
      const Instruction& instruction = code[static_cast<std::size_t>(i)];
      for (const Operand& o : {instruction.a, instruction.b, instruction.c})
        if (temporary(o)) life(o).last_body = body, life(o).last_use = i;
      if (temporary(instruction.target)) life(instruction.target).defined_in = body;
    }
  }
  for (const Accumulation& a : loop.accumulations) {
    if (temporary(a.value)) life(a.value).last_body = bodies, life(a.value).last_use = 0;
  }

  std::vector<int> row(lives.size(), -1);
  std::vector<int> free_rows;
  int rows = 0;
  auto take = [&] {
    if (free_rows.empty()) return rows++;
    int taken = free_rows.back();
    free_rows.pop_back();
    return taken;
  };
  for (Accumulation& a : loop.accumulations) a.temporary = rows++;
  for (int body = 0; body < bodies; ++body) {
    auto& code = loop.bodies[static_cast<std::size_t>(body)];
    for (int i = 0; i < static_cast<int>(code.size()); ++i) {
      Instruction& instruction = code[static_cast<std::size_t>(i)];
      std::vector<int> ended;
      for (Operand* o : {&instruction.a, &instruction.b, &instruction.c}) {
        if (!temporary(*o)) continue;
        const Life& l = life(*o);
        int assigned = row[static_cast<std::size_t>(o->index)];
        if (l.defined_in == body && l.last_body == body && l.last_use == i) ended.push_back(assigned);
        o->index = assigned;
      }
      std::ranges::sort(ended);
      ended.erase(std::unique(ended.begin(), ended.end()), ended.end());
      free_rows.insert(free_rows.end(), ended.begin(), ended.end());
      if (temporary(instruction.target))
        instruction.target.index = row[static_cast<std::size_t>(instruction.target.index)] = take();
    }
  }
  for (Accumulation& a : loop.accumulations)
    if (temporary(a.value)) a.value.index = row[static_cast<std::size_t>(a.value.index)];
  loop.temporaries = rows;
}

}  // namespace gfdt::codegen

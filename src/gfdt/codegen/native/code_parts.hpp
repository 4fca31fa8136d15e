#pragma once

#include <cstddef>
#include <vector>

#include "gfdt/codegen/program/program.hpp"

namespace gfdt::codegen {

/// Instructions [first, end) of the body at `depth`.
struct CodePart {
  std::size_t depth, first, end;
};

/// How the generated code of a loop is divided into functions: the time of a compiler grows faster than the length of
/// a function. A short loop is not divided.
struct CodeParts {
  std::vector<CodePart> parts;  ///< functions of their own; what is in none of them stands in the loop itself
  std::vector<int> slot;        ///< per temporary: the place in memory if several functions use it, else -1
  int slots = 0;
};

CodeParts divide(const Loop& loop);

/// Operations that stand for dozens of machine instructions.
bool is_elaborate(Op op);

}  // namespace gfdt::codegen

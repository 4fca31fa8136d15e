#pragma once

#include <cstddef>
#include <vector>

#include "gfdt/codegen/program/program.hpp"

namespace gfdt::codegen {

/// The instructions [first, end) of the body at `depth`.
struct CodePart {
  std::size_t depth, first, end;
};

/// Division of the generated code of a loop into functions, because compile time grows faster than linearly with the
/// length of a function. Short loops are not divided.
struct CodeParts {
  std::vector<CodePart> parts;  ///< separate functions; all other instructions stay in the loop
  std::vector<int> slot;        ///< per temporary: its slot in memory if several functions use it, otherwise -1
  int slots = 0;
};

/// Divides the code of a loop.
CodeParts divide(const Loop& loop);

/// Whether an operation expands to dozens of machine instructions.
bool is_elaborate(Op op);

}  // namespace gfdt::codegen

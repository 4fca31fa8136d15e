#pragma once

#include <string>
#include <vector>

#include "gfdt/codegen/program/plan.hpp"

namespace gfdt::codegen {

/// A routine for one member as straight-line code with one variable per row, which a GPU thread runs in registers.
struct Unrolled {
  std::string text;                  ///< C++ statements
  std::vector<std::string> results;  ///< variables that hold the rows of the next state or of the output
  int statements = 0;
};

/// In the text, `x0`, `x1`, … are the rows of the state and `u.value[i]` are the uniforms of all stages in order.
/// `noise_block(n)` and `sign_word(n)` return the random numbers of the step, where n counts from the first block or
/// word used. `phase` is the position of the step's first normal in its block of four. Statements are ordered by the
/// results that need them, which keeps few variables alive: on a ring, the stages of a step follow each other as waves.
Unrolled unroll(const Routine& routine, int phase = 0);

/// Number of different phases; the phase of a step is determined by the step number modulo this value.
int noise_phases(const Routine& routine);

/// Number of statements that unrolling a routine would produce.
long unrolled_size(const Routine& routine);

}  // namespace gfdt::codegen

#pragma once

#include <string>
#include <vector>

#include "gfdt/codegen/program/plan.hpp"

namespace gfdt::codegen {

/// A routine for one member as straight-line code, every row a variable: what a GPU's thread runs without memory.
struct Unrolled {
  std::string text;                  ///< C++ statements
  std::vector<std::string> results;  ///< the variables that hold the rows of the next state, or of the output
  int statements = 0;
};

/// In the text `x0`, `x1`, … are the rows of the state and `u.value[i]` the uniforms of all stages in their order.
/// Random numbers of a step come from `noise_block(n)` and `sign_word(n)`, relative to the first that the step touches;
/// `phase` is the place of its first normal among the four of its block. Statements stand in the order in which results
/// ask for them, which keeps the fewest variables alive: on a ring the stages of a step follow each other as waves.
Unrolled unroll(const Routine& routine, int phase = 0);

/// How many phases steps have: the step number modulo this tells which.
int noise_phases(const Routine& routine);

/// Statements that unrolling a routine would give.
long unrolled_size(const Routine& routine);

}  // namespace gfdt::codegen

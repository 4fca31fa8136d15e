#pragma once

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::codegen {

using symbolic::Expression;
using symbolic::Field;
using symbolic::Index;

/// target[site] ← value at every site of the target; the value is a formula per site.
struct Assignment {
  Field target;
  Expression value;
};

/// Storage of a row of numbers while a program runs.
enum class Region {
  state,    ///< state before the step, or the sample to evaluate
  next,     ///< state after the step
  scratch,  ///< intermediate results of a step, and sums over sites
  noise,    ///< standard normals of the step
  sign,     ///< two-point variables ±1 of the step
  output,   ///< results of an evaluation
};

/// A field stored in a region, with one row of ensemble members per site. Sites are ordered by the index sets of the
/// model, the last index varying fastest, regardless of the order of indices in the field's label.
struct Buffer {
  Field field;
  Region region;
  int first_row = 0;
};

}  // namespace gfdt::codegen

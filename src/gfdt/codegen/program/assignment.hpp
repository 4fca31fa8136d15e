#pragma once

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::codegen {

using symbolic::Expression;
using symbolic::Field;
using symbolic::Index;

/// target[site] ← value, at every site of the target; the value is a formula per site.
struct Assignment {
  Field target;
  Expression value;
};

/// Where a row of numbers lives while a program runs.
enum class Region {
  state,    ///< the state before the step, or the sample that is evaluated
  next,     ///< the state after the step
  scratch,  ///< stages of a step, and sums over sites
  noise,    ///< standard normals of the step
  sign,     ///< two-point variables ±1 of the step
  output,   ///< values of an evaluation
};

/// A field stored in a region, one row of ensemble members a site. Sites run in the order of the model's index sets,
/// the last fastest, whatever the order in which the field's label names them.
struct Buffer {
  Field field;
  Region region;
  int first_row = 0;
};

}  // namespace gfdt::codegen

#pragma once

// No standard headers: shared with files that are compiled for other instruction sets.
namespace gfdt::codegen {

enum class Op {
  copy,
  negate,
  add,
  subtract,
  multiply,
  divide,
  multiply_add,  // a*b + c
  sqrt,
  power,
  exp,
  log,
  sin,
  cos,
  tan,
  sinh,
  cosh,
  tanh,
  atan,
  abs,
  sign,
  erf,
  min,
  max,
  less,
  less_equal,
  equal,
  logical_and,
  logical_or,
  logical_not,
};

}  // namespace gfdt::codegen

#pragma once

#include "gfdt/jacobian/jacobian.hpp"
#include "gfdt/problem/problem.hpp"
#include "gfdt/simulate/ensemble.hpp"
#include "states.hpp"

namespace gfdt::python {

/// Adds a row for each function to a finite-difference Jacobian, using runs with the same steps and random numbers.
/// Standard errors come from the spread of the members' differences.
void add_function_rows(jacobian::Jacobian& jacobian, const problem::Problem& problem, const Functions& functions,
                       const simulate::Control& control);

}  // namespace gfdt::python

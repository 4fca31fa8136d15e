#pragma once

#include <optional>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::symbolic {

/// A root or a logarithm in the drift or noise of a model, and its argument.
struct PartialFormula {
  Expression formula, argument;
};

/// Finds the first root or logarithm whose argument may be negative for the current parameter values and some state. A
/// time step may lead to a state at which it is undefined. Returns nothing if there is none.
std::optional<PartialFormula> find_partial_formula(const Model& model);

}  // namespace gfdt::symbolic

#pragma once

#include <optional>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::symbolic {

/// A root or a logarithm in the drift or the noise of a model, and what it is taken of.
struct PartialFormula {
  Expression formula, argument;
};

/// The first root or logarithm of something that may be negative, at the values of the parameters and some value of the
/// states: a time step may lead to where it is not defined. Nothing where there is none.
std::optional<PartialFormula> find_partial_formula(const Model& model);

}  // namespace gfdt::symbolic

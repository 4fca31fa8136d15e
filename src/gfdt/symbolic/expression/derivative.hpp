#pragma once

#include <map>
#include <string>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// Thrown for the derivative of a function with a jump.
class NotDifferentiable : public Error {
 public:
  using Error::Error;
};

/// ∂formula/∂variable, where the variable is a symbol or a site such as X[k+1]. In a formula per site of k, the site is
/// relative to the same k; a sum over k contributes only its term at that site. Functions with kinks (abs, min, max)
/// have the derivative of either side. Comparisons and sign throw NotDifferentiable if they depend on the variable.
Expression derivative(const Expression& formula, const Expression& variable);

/// Directional derivative Σ_i v_i ∂formula/∂x_i. `direction` maps names of fields or symbols to v, a formula per site
/// of that field. All other names are held constant.
Expression directional_derivative(const Expression& formula, const std::map<std::string, Expression>& direction);

}  // namespace gfdt::symbolic

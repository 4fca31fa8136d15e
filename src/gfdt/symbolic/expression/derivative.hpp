#pragma once

#include <map>
#include <string>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// A formula has a jump where its derivative is asked for.
class NotDifferentiable : public Error {
 public:
  using Error::Error;
};

/// ∂formula/∂variable, where the variable is a symbol or a site, X[k+1]. In a formula per site of k the site is
/// relative to the same k; a sum over k contributes its one term that holds the site. abs, min and max are
/// differentiated on either side of their kinks; a comparison or sign of something that depends on the variable throws
/// NotDifferentiable.
Expression derivative(const Expression& formula, const Expression& variable);

/// Σ_i v_i ∂formula/∂x_i, with v given by field or symbol name, each as a formula per site of that field. Names left
/// out are held fixed.
Expression directional_derivative(const Expression& formula, const std::map<std::string, Expression>& direction);

}  // namespace gfdt::symbolic

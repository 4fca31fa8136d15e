#pragma once

#include <functional>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// Derivative of a sum of terms, product, power or call, given a function that differentiates an operand.
Expression chain_rule(const Expression& formula, const std::function<Expression(const Expression&)>& derivative_of);

}  // namespace gfdt::symbolic

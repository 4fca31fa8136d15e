#pragma once

#include <functional>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::codegen {

using symbolic::Expression;

/// The same formula in the form that is cheapest to evaluate for many members at fixed parameters: coefficients made of
/// `uniform` formulas collected, (−1 − α)·x for −x − α·x, and polynomials nested, c0 + x·(c1 + x·c2).
Expression nested_form(const Expression& formula, const std::function<bool(const Expression&)>& uniform);

/// A product split into its uniform part and the rest.
struct ScaledTerm {
  Expression coefficient;
  Expression rest;
};
ScaledTerm split_uniform(const Expression& term, const std::function<bool(const Expression&)>& uniform);

}  // namespace gfdt::codegen

#pragma once

#include <functional>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::codegen {

using symbolic::Expression;

/// Rewrites a formula into the form that is cheapest to evaluate for many members at fixed parameters: collects
/// coefficients that consist of `uniform` formulas, (−1 − α)·x for −x − α·x, and nests polynomials, c0 + x·(c1 + x·c2).
Expression nested_form(const Expression& formula, const std::function<bool(const Expression&)>& uniform);

/// A product split into a uniform coefficient and the remaining factors.
struct ScaledTerm {
  Expression coefficient;
  Expression rest;
};
/// Splits a product; `uniform` selects the formulas that depend only on parameters.
ScaledTerm split_uniform(const Expression& term, const std::function<bool(const Expression&)>& uniform);

}  // namespace gfdt::codegen

#include <gtest/gtest.h>

#include "formulas.hpp"
#include "gfdt/symbolic/expression/derivative.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::symbolic {
namespace {

/// A formula with 2^levels leaves when expanded, but only a few nodes per level as a graph.
Expression doubling(const std::string& start, int levels) {
  Expression e = formula(start);
  for (int i = 0; i < levels; ++i) e = e * call(Function::sin, {e}) + 0.5;
  return e;
}

TEST(SharedSubformulas, AreProcessedOnce) {
  Expression e = doubling("x + sin(y)", 60);
  EXPECT_TRUE(std::isfinite(SomeValues().of(e)));
  EXPECT_TRUE(std::isfinite(SomeValues().of(derivative(e, formula("x")))));
  EXPECT_TRUE(std::isfinite(SomeValues().of(directional_derivative(e, {{"y", formula("a")}}))));
  EXPECT_EQ(substitute(e, {{"x", formula("z")}}), doubling("z + sin(y)", 60));
  EXPECT_EQ(names_in(e), (std::set<std::string>{"x", "y"}));
  EXPECT_FALSE(depends_on(e, "z"));
  EXPECT_TRUE(precedes(e, doubling("x + sin(z)", 60)) != precedes(doubling("x + sin(z)", 60), e));
  EXPECT_NE(e + doubling("x + sin(z)", 60), e);
  collect_factors(e);
}

TEST(SharedSubformulas, AreProcessedOnceOnLattices) {
  Expression e = doubling("X[k] + sin(X[k+1])", 60);
  EXPECT_EQ(shift(e, "k", 1), doubling("X[k+1] + sin(X[k+2])", 60));
  Expression total = mean({"k", 4}, e);
  EXPECT_TRUE(std::isfinite(SomeValues().of(derivative(total, formula("X[k]")))));
  EXPECT_EQ(open_sites(e, "X").size(), 2u);
  EXPECT_EQ(sums_in(e).size(), 0u);
  EXPECT_EQ(sums_in(e * total).size(), 1u);
}

}  // namespace
}  // namespace gfdt::symbolic

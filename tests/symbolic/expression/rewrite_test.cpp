#include "gfdt/symbolic/expression/rewrite.hpp"

#include <gmock/gmock.h>

#include "formulas.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/text/print.hpp"

namespace gfdt::symbolic {
namespace {

TEST(Shift, ChangesFreeIndicesOnly) {
  EXPECT_EQ(shift(formula("X[k-1]*mean(k, X[k]) + W[j]"), "k", 2), formula("X[k+1]*mean(k, X[k]) + W[j]"));
  EXPECT_EQ(shift(formula("sum(j, Y[j,k])"), "k", -1), formula("sum(j, Y[j,k-1])"));
  EXPECT_EQ(shift(formula("X[k]"), "k", 4'000'001), formula("X[k+1]"));
}

TEST(Substitute, ReplacesSymbolsAndFields) {
  EXPECT_EQ(substitute(formula("x^2 + y"), {{"x", formula("y + 1")}}), formula("(y + 1)^2 + y"));
  EXPECT_EQ(substitute(formula("x + y"), {{"x", formula("y")}, {"y", formula("x")}}), formula("x + y"));
  EXPECT_EQ(substitute(formula("X[k-1] + mean(k, X[k+1])"), {{"X", formula("Z[k]*Z[k+1]")}}),
            formula("Z[k-1]*Z[k] + mean(k, Z[k+1]*Z[k+2])"));
  EXPECT_EQ(substitute(formula("Y[j+1,k-1]"), {{"Y", formula("W[j]*X[k]")}}), formula("W[j+1]*X[k-1]"));
  EXPECT_EQ(substitute(formula("sum(k, X[k])"), {{"X", formula("a")}}), formula("4*a"));
}

TEST(Substitute, RejectsAChangeOfMeaning) {
  EXPECT_THROW(substitute(formula("X[k]"), {{"X", formula("W[j]")}}), Error);
  EXPECT_THROW(substitute(formula("sum(k, exp(x*X[k]))"), {{"x", formula("X[k]")}}), Error);
  EXPECT_EQ(substitute(formula("x*sum(k, X[k])"), {{"x", formula("X[k]")}}), formula("X[k]*sum(k, X[k])"));
}

TEST(Expand, MultipliesOut) {
  EXPECT_EQ(expand(formula("(a + b)*(x + y)")), formula("a*x + a*y + b*x + b*y"));
  EXPECT_EQ(expand(formula("(x + 1)^3")), formula("1 + 3*x + 3*x^2 + x^3"));
  EXPECT_EQ(expand(formula("x*(x + y)^2/z")), formula("x^3/z + 2*x^2*y/z + x*y^2/z"));
  EXPECT_EQ(expand(formula("(x - y)*(x + y) - x^2 + y^2")), Expression(0.0));
  EXPECT_EQ(expand(formula("sin(x*(1 + y))")), formula("sin(x + x*y)"));
  EXPECT_EQ(expand(formula("(1 + x)^9")), formula("(1 + x)^9"));
  EXPECT_EQ(expand(formula("(a + b)*(x + y)*z"), 4), formula("a*x*z + a*y*z + b*x*z + b*y*z"));
  EXPECT_EQ(expand(formula("(a + b)*(x + y)*z"), 3), formula("(a*z + b*z)*(x + y)"));
  EXPECT_EQ(expand(formula("1/(1 + x)^2")), formula("1/(1 + x)^2"));
  EXPECT_EQ(expand(formula("mean(k, (X[k] - a)^2)")), formula("a^2 + mean(k, X[k]^2 - 2*a*X[k])"));
}

TEST(CollectFactors, TakesOutCommonFactors) {
  EXPECT_EQ(to_string(collect_factors(formula("σ*a + σ*b"))), "σ*(a + b)");
  EXPECT_EQ(to_string(collect_factors(formula("x^2*a + x^3*b"))), "x^2*(a + b*x)");
  EXPECT_EQ(to_string(collect_factors(formula("2*x*a - 2*x*b"))), "2*x*(a - b)");
  EXPECT_EQ(to_string(collect_factors(formula("a/x + b/x^2"))), "(a + b/x)/x");
  EXPECT_EQ(to_string(collect_factors(formula("exp(x)*a + exp(x)*b"))), "exp(x)*(a + b)");
  EXPECT_EQ(to_string(collect_factors(formula("sin(a*x + a*y)"))), "sin(a*(x + y))");
  EXPECT_EQ(collect_factors(formula("x + x*y + 1")), formula("x + x*y + 1"));
}

TEST(CollectFactors, KeepsPolynomialsInTheStates) {
  EXPECT_EQ(to_string(collect_factors(formula("a*x + a*x^2"), {"x"})), "a*(x + x^2)");
  EXPECT_EQ(to_string(collect_factors(formula("a*X[k] + a*X[k]^2"), {"X"})), "a*(X[k] + X[k]^2)");
  EXPECT_EQ(to_string(collect_factors(formula("exp(x)*x + exp(x)*x^2"), {"x"})), "exp(x)*(x + x^2)");
}

TEST(Names, AreCollectedFromAFormula) {
  Expression e = formula("x*sin(y) + mean(k, X[k])");
  EXPECT_THAT(names_in(e), testing::ElementsAre("X", "x", "y"));
  EXPECT_TRUE(depends_on(e, "X"));
  EXPECT_FALSE(depends_on(e, "z"));
}

TEST(OpenSites, OmitSitesBoundBySums) {
  EXPECT_THAT(open_sites(formula("X[k+1]*X[k-1] + X[k+1]^2 + sum(k, X[k])"), "X"),
              testing::ElementsAre(formula("X[k-1]"), formula("X[k+1]")));
  EXPECT_THAT(open_sites(formula("sum(j, Y[j,k]*X[k])"), "X"), testing::ElementsAre(formula("X[k]")));
  EXPECT_THAT(open_sites(formula("sum(j, Y[j,k]) + Y[j+1,k]"), "Y"), testing::ElementsAre(formula("Y[j+1,k]")));
}

}  // namespace
}  // namespace gfdt::symbolic

#include <gtest/gtest.h>

#include "formulas.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/expression/derivative.hpp"
#include "gfdt/symbolic/text/print.hpp"

namespace gfdt::symbolic {
namespace {

int wrapped(int position, int size) { return (position % size + size) % size; }

/// Compares the derivative with respect to a site with central differences, at every position of the lattice.
void expect_slopes_as_measured(const std::string& text, const Expression& variable, const LatticeScope& scope) {
  Expression e = formula(text, scope);
  Expression slope = derivative(e, variable);
  for (int j = 0; j < scope.j.size; ++j)
    for (int k = 0; k < scope.k.size; ++k) {
      const std::map<std::string, int> position{{"j", j}, {"k", k}};
      std::string key = variable.name();
      for (const SiteIndex& at : variable.indices())
        key += " " + std::to_string(wrapped(position.at(at.index.name) + at.offset, at.index.size));
      constexpr double step = 1e-4;
      double measured =
          (SomeValues{{{key, step}}}.of(e, position) - SomeValues{{{key, -step}}}.of(e, position)) / (2 * step);
      double exact = SomeValues{}.of(slope, position);
      EXPECT_NEAR(exact, measured, 1e-6 * (1 + std::abs(measured)))
          << text << " by " << to_string(variable) << " at j " << j << ", k " << k << " of " << scope.j.size << ", "
          << scope.k.size << ": " << to_string(slope);
    }
}

TEST(LatticeDerivative, WithRespectToASiteOfAField) {
  for (int size : {1, 2, 3, 4, 5})
    for (int offset : {-2, -1, 0, 1, 2}) {
      LatticeScope scope(size);
      Expression variable = Expression::site("X", {{scope.k, offset}});
      for (const char* text : {"X[k]^2",
                               "(X[k+1] - X[k-2])*X[k-1] - X[k] + F0",
                               "X[k-1]*X[k+2]",
                               "sum(k, X[k])",
                               "mean(k, X[k]^2)",
                               "mean(k, X[k]*X[k+1])",
                               "mean(k, X[k-1]*X[k+2]*Z[k])",
                               "X[k] - mean(k, X[k])",
                               "(X[k] - mean(k, X[k]))^2",
                               "mean(k, (X[k] - mean(k, X[k]))^3)",
                               "exp(X[k+1])*sum(k, sin(X[k])*Z[k+1])",
                               "sum(k, sin(X[k]*sum(k, X[k]^2)))",
                               "sum(k, exp(X[k]*sum(k, sin(X[k+1]*sum(k, X[k]^3)))/20))",
                               "sum(j, Y[j,k]*X[k]^2)",
                               "sum(j, W[j]*sin(Y[j,k]*sum(k, X[k]*Y[j,k])))",
                               "sum(k, X[k+1]*sum(j, sin(Y[j,k]*X[k])))",
                               "sum(j, sum(k, sin(X[k]*Y[j,k-1])))",
                               "mean(k, X[k]^2)/(1 + mean(k, X[k])^2)",
                               "max(X[k], mean(k, X[k]))",
                               "abs(X[k] - 5)*X[k+1]"})
        expect_slopes_as_measured(text, variable, scope);
    }
}

TEST(LatticeDerivative, WithRespectToASiteOfAFieldWithTwoIndices) {
  for (int size_k : {2, 3, 4})
    for (int size_j : {1, 2, 3})
      for (int offset_k : {-1, 0, 2})
        for (int offset_j : {0, 1}) {
          LatticeScope scope(size_k, size_j);
          Expression variable = Expression::site("Y", {{scope.j, offset_j}, {scope.k, offset_k}});
          for (const char* text :
               {"Y[j,k]^2", "Y[j+1,k]*Y[j-1,k-1]", "sum(j, Y[j,k])", "sum(j, Y[j,k]^2*Y[j+1,k])",
                "sum(k, Y[j,k]*Y[j,k+1]*X[k])", "sum(j, sum(k, Y[j,k]^3))", "sum(j, sum(k, sin(Y[j,k]*Y[j+1,k-1])))",
                "mean(k, X[k]*sum(j, Y[j,k]))", "mean(k, sin(X[k] + mean(j, Y[j,k]^2)))",
                "sum(j, sin(Y[j,k]*sum(j, Y[j,k])))", "sum(j, sin(Y[j,k]*sum(j, sum(k, Y[j,k]^2))))",
                "X[k]*Y[j,k] - mean(j, W[j]*Y[j,k])"})
            expect_slopes_as_measured(text, variable, scope);
        }
}

TEST(LatticeDerivative, WithRespectToASymbolInsideSums) {
  EXPECT_EQ(derivative(formula("mean(k, sin(a*X[k]))"), formula("a")), formula("mean(k, X[k]*cos(a*X[k]))"));
  EXPECT_EQ(derivative(formula("a*sum(j, Y[j,k])"), formula("a")), formula("sum(j, Y[j,k])"));
}

TEST(LatticeDerivative, DerivativeOfAMeanIsOneTerm) {
  EXPECT_EQ(derivative(formula("mean(k, X[k]^2)"), formula("X[k]")), formula("X[k]/2"));
  EXPECT_EQ(derivative(formula("mean(k, X[k]*X[k+1])"), formula("X[k]")), formula("(X[k-1] + X[k+1])/4"));
}

TEST(LatticeDerivative, CoincidingSitesAreIdentified) {
  LatticeScope three(3);
  EXPECT_EQ(derivative(formula("X[k-1]*X[k+2]", three), formula("X[k+2]", three)), formula("2*X[k-1]", three));
}

TEST(LatticeDerivative, NestedSumsThatShareAnIndexAreRejected) {
  Expression e = formula("sum(k, sin(X[k]*sum(j, sin(Y[j,k]*sum(k, Y[j,k])))))");
  EXPECT_THROW(derivative(e, formula("Y[j,k]")), Error);
  EXPECT_NO_THROW(derivative(e, formula("X[k]")));
}

}  // namespace
}  // namespace gfdt::symbolic

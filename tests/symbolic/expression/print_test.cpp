#include "gfdt/symbolic/text/print.hpp"

#include <gtest/gtest.h>

#include "formulas.hpp"

namespace gfdt::symbolic {
namespace {

void expect_printed(const std::string& text, const std::string& printed) {
  EXPECT_EQ(to_string(formula(text)), printed);
  EXPECT_EQ(formula(to_string(formula(text))), formula(text)) << text;
}

void expect_kept(const std::string& text) { expect_printed(text, text); }

TEST(Print, UsesConventionalNotation) {
  expect_kept("F0 + a*x + b*x^2 - c*x^3");
  expect_kept("x/(1 + y)");
  expect_kept("-x");
  expect_kept("-x^2");
  expect_kept("a - b");
  expect_kept("sqrt(x)");
  expect_kept("1/sqrt(x)");
  expect_kept("x^(a + b)");
  expect_kept("x^(-a)");
  expect_kept("(x^a)^b");
  expect_kept("x^y^z");
  expect_kept("1/x^2");
  expect_kept("a/(x*y)");
  expect_kept("2*x*(a + b)");
  expect_kept("sqrt(1 + x^2)");
  expect_kept("(1 + x)^2");
  expect_kept("(-2)^x");
  expect_kept("min(x, 2*y)");
  expect_kept("-1 + x");
  expect_kept("x*σ");
}

TEST(Print, NumbersAreShort) {
  expect_kept("0.5*x");
  expect_kept("x/3");
  expect_kept("2*x/3");
  expect_kept("-2*x/3");
  expect_kept("x^(1/3)");
  expect_kept("1/3 + x");
  expect_kept("pi*x");
  expect_kept("1/(3*x)");
  expect_printed("1/(3*x + 3*y)", "1/(3*(x + y))");
  expect_printed("1e30*x", "1e+30*x");
  expect_printed("0.1*x + 0.2*x", "0.30000000000000004*x");
}

TEST(Print, Conditions) {
  expect_kept("u1 > 1.5 and u2 < 0");
  expect_kept("x <= y or x > 2");
  expect_kept("x != y");
  expect_kept("not x");
  expect_kept("not (x or y)");
  expect_kept("y*(x < 1)");
  expect_kept("(x or y) and z");
  expect_printed("1 < x < 2", "x > 1 and x < 2");
  expect_printed("(x < 1) < y", "(x < 1) < y");
}

TEST(Print, SitesSumsAndMeans) {
  expect_printed("(X[k+1] - X[k-2])*X[k-1]", "X[k-1]*(X[k+1] - X[k+2])");
  expect_kept("Y[j,k-1]");
  expect_kept("sum(k, X[k]^2)");
  expect_kept("mean(k, X[k]^2)");
  expect_kept("2*mean(k, X[k])");
  expect_kept("x*mean(k, X[k])^2");
  expect_kept("-mean(k, X[k])^2 + mean(k, X[k]^2)");
  expect_kept("mean(k, X[k]*X[k+1])");
}

TEST(Print, MeansOverAnySizeReadBack) {
  for (int size : {3, 7, 36, 49}) {
    LatticeScope scope(size);
    for (const char* text : {"mean(k, X[k])", "mean(k, X[k])^2", "mean(k, X[k])^3", "2*mean(k, X[k])/3",
                             "-mean(k, X[k])*mean(k, Z[k])", "mean(k, X[k])/x", "sum(k, X[k])/5"}) {
      Expression e = formula(text, scope);
      EXPECT_EQ(formula(to_string(e), scope), e) << text << " " << size << " " << to_string(e);
    }
    EXPECT_EQ(to_string(formula("mean(k, X[k])^2", scope)), "mean(k, X[k])^2");
  }
}

TEST(Print, DerivedNamesWithDots) {
  EXPECT_EQ(to_string(Expression::symbol("ds.x.x") * Expression::symbol("s.x")), "ds.x.x*s.x");
  EXPECT_EQ(to_string(Expression::site("xi.w", {{{"k", 4}, 1}})), "xi.w[k+1]");
}

TEST(Print, AbbreviatedIsShortForAHugeFormula) {
  Expression e = formula("x + sin(y)");
  for (int i = 0; i < 40; ++i) e = e * call(Function::sin, {e}) + 1.0;
  EXPECT_LT(abbreviated(e).size(), 1000u);
}

}  // namespace
}  // namespace gfdt::symbolic

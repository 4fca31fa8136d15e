#include "gfdt/symbolic/expression/derivative.hpp"

#include <gmock/gmock.h>

#include "formulas.hpp"
#include "gfdt/symbolic/text/print.hpp"

namespace gfdt::symbolic {
namespace {

void expect_derivative(const std::string& text, const std::string& variable, const std::string& expected) {
  Expression slope = derivative(formula(text), formula(variable));
  EXPECT_EQ(slope, formula(expected)) << "d(" << text << ")/d" << variable << " = " << to_string(slope);
}

TEST(Derivative, Polynomials) {
  expect_derivative("x^2 + x", "x", "1 + 2*x");
  expect_derivative("F0 + a*x + b*x^2 - c*x^3", "x", "a + 2*b*x - 3*c*x^2");
  expect_derivative("F0 + a*x + b*x^2 - c*x^3", "c", "-x^3");
  expect_derivative("x*y*z", "y", "x*z");
  expect_derivative("3", "x", "0");
  expect_derivative("y", "x", "0");
}

TEST(Derivative, Powers) {
  expect_derivative("1/x", "x", "-1/x^2");
  expect_derivative("sqrt(x)", "x", "0.5/sqrt(x)");
  expect_derivative("x^a", "x", "a*x^(a - 1)");
  expect_derivative("x^a", "a", "x^a*log(x)");
  expect_derivative("x^x", "x", "x^x*log(x) + x*x^(x - 1)");
  expect_derivative("2^x", "x", "2^x*log(2)");
  expect_derivative("sqrt((a + b*x)^2 + c^2)", "a", "(a + b*x)/sqrt((a + b*x)^2 + c^2)");
}

TEST(Derivative, Functions) {
  expect_derivative("exp(a*x)", "x", "a*exp(a*x)");
  expect_derivative("log(x)", "x", "1/x");
  expect_derivative("sin(x)", "x", "cos(x)");
  expect_derivative("cos(x)", "x", "-sin(x)");
  expect_derivative("tan(x)", "x", "1 + tan(x)^2");
  expect_derivative("sinh(x)", "x", "cosh(x)");
  expect_derivative("cosh(x)", "x", "sinh(x)");
  expect_derivative("tanh(x)", "x", "1 - tanh(x)^2");
  expect_derivative("atan(x)", "x", "1/(1 + x^2)");
  expect_derivative("abs(x)", "x", "sign(x)");
  expect_derivative("erf(x)", "x", "1.1283791670955126*exp(-x^2)");
}

TEST(Derivative, MinAndMaxHaveTheDerivativeOfTheSelectedArgument) {
  expect_derivative("min(x, y)", "x", "x < y");
  expect_derivative("min(x, y)", "y", "x >= y");
  expect_derivative("max(x, y)", "x", "x > y");
  expect_derivative("max(2*x, x^2)", "x", "2*(2*x > x^2) + 2*x*(2*x <= x^2)");
  expect_derivative("min(x, x + y)", "x", "1");
}

TEST(Derivative, JumpsAreNotDifferentiable) {
  for (const char* text : {"x < 1", "x*(x > y)", "sign(x)", "not x", "x and y", "(x == 1)*y", "sum(k, X[k] > x)"}) {
    EXPECT_THROW(derivative(formula(text), formula("x")), NotDifferentiable) << text;
    EXPECT_THROW(directional_derivative(formula(text), {{"x", 1.0}}), NotDifferentiable) << text;
  }
  EXPECT_THROW(derivative(formula("mean(k, X[k] > 1)"), formula("X[k]")), NotDifferentiable);
  expect_derivative("x*(y > 1)", "x", "y > 1");
  expect_derivative("sign(y)*x^2", "x", "2*x*sign(y)");
  try {
    derivative(formula("y*(x > 1.5)"), formula("x"));
    FAIL();
  } catch (const NotDifferentiable& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("x > 1.5"));
  }
}

TEST(Derivative, VariableMustBeASymbolOrASite) { EXPECT_THROW(derivative(formula("x^2"), formula("x + y")), Error); }

TEST(DirectionalDerivative, AddsTheContributionsOfAllVariables) {
  Expression e = formula("x^2*y + exp(z)");
  EXPECT_EQ(directional_derivative(e, {{"x", formula("a")}, {"y", formula("b*x")}}), formula("2*a*x*y + b*x^3"));
  EXPECT_EQ(directional_derivative(e, {}), Expression(0.0));
}

TEST(DirectionalDerivative, ShiftsTheDirectionOfAFieldToEachSite) {
  EXPECT_EQ(directional_derivative(formula("X[k]*X[k+1]"), {{"X", formula("Z[k]")}}),
            formula("Z[k]*X[k+1] + X[k]*Z[k+1]"));
  EXPECT_EQ(directional_derivative(formula("mean(k, X[k]^2)"), {{"X", formula("Z[k+1]")}}),
            formula("2*mean(k, X[k]*Z[k+1])"));
  EXPECT_EQ(directional_derivative(formula("sum(j, Y[j,k+1]^2)"), {{"Y", formula("W[j+1]*X[k]")}}),
            formula("2*sum(j, Y[j,k+1]*W[j+1]*X[k+1])"));
  EXPECT_THROW(directional_derivative(formula("X[k]"), {{"X", formula("W[j]")}}), Error);
}

}  // namespace
}  // namespace gfdt::symbolic

#include "gfdt/symbolic/text/parse.hpp"

#include <gtest/gtest.h>

#include "formulas.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::symbolic {
namespace {

void expect_value(const std::string& text, double value) {
  EXPECT_DOUBLE_EQ(SomeValues().of(formula(text)), value) << text;
}

TEST(Parse, Arithmetic) {
  expect_value("1 + 2*3", 7);
  expect_value("(1 + 2)*3", 9);
  expect_value("7 - 2 - 1", 4);
  expect_value("12/2/3", 2);
  expect_value("-3^2", -9);
  expect_value("2^3^2", 512);
  expect_value("2^-3", 0.125);
  expect_value("2 - -3", 5);
  expect_value("--2", 2);
  expect_value("+2*-3", -6);
  expect_value("5/3", 5.0 / 3);
}

TEST(Parse, Numbers) {
  expect_value("1", 1);
  expect_value("1.5", 1.5);
  expect_value(".5", 0.5);
  expect_value("2e-3", 0.002);
  expect_value("1E+2", 100);
  expect_value("pi", 3.141592653589793);
}

TEST(Parse, Functions) {
  expect_value("exp(1)", std::exp(1));
  expect_value("sqrt(16)", 4);
  expect_value("min(3, 1, 2)", 1);
  expect_value("max(3, 1, 2, 5)", 5);
  expect_value("abs(-2) + sign(-3)", 1);
  expect_value("erf(0.5)", std::erf(0.5));
  expect_value("atan(1)*4", 3.141592653589793);
}

TEST(Parse, Conditions) {
  expect_value("1 < 2 and 2 < 1 or 1", 1);
  expect_value("1 or 1 and 0", 1);
  expect_value("not 1 == 2", 1);
  expect_value("not 0 and 0", 0);
  expect_value("1 < 2 < 3", 1);
  expect_value("1 < 3 < 2", 0);
  expect_value("2 >= 2 and 2 <= 2 and 2 != 3 and 3 > 2", 1);
  expect_value("1 + 1 < 3", 1);
  expect_value("not not not 0", 1);
}

TEST(Parse, Sites) {
  EXPECT_EQ(formula("X[k+1]"), Expression::site("X", {{{"k", 4}, 1}}));
  EXPECT_EQ(formula("X[ k - 2 ]"), Expression::site("X", {{{"k", 4}, -2}}));
  EXPECT_EQ(formula("Xsq[k+1]"), formula("X[k+1]^2"));
  EXPECT_EQ(formula("mean(k, Xsq[k-1])"), formula("mean(k, X[k-1]^2)"));
}

TEST(Parse, UnicodeNames) { EXPECT_EQ(formula("σ*2").operands()[1], Expression::symbol("σ")); }

TEST(Parse, LongChainsAreParsed) {
  std::string sum = "x", product = "1", conditions = "x < 0";
  for (int i = 0; i < 100'000; ++i) {
    sum += i % 2 ? " + " + std::to_string(i) + "*x^" + std::to_string(i) : " - y";
    product += i % 2 ? "*x" : "/y";
    conditions += " and x < " + std::to_string(i);
  }
  EXPECT_EQ(formula(sum).operands().size(), 50'001u);
  EXPECT_EQ(formula(product), formula("x^50000/y^50000"));
  EXPECT_EQ(formula(conditions).operands().size(), 100'000u);
  EXPECT_EQ(formula(std::string(100'001, '-') + "x"), formula("-x"));
}

TEST(Parse, NamesAreDistinguishedFromReservedWords) {
  for (const char* name : {"x", "_", "x1", "σ_x", "Xbar", "x₁"}) EXPECT_TRUE(is_name(name)) << name;
  for (const char* name : {"", "1x", "x.y", "x y", "sin", "pi", "and", "sum", "mean", "sqrt", "x²", "\xff"})
    EXPECT_FALSE(is_name(name)) << name;
  EXPECT_TRUE(is_reserved("max"));
  EXPECT_FALSE(is_reserved("maximum"));
}

}  // namespace
}  // namespace gfdt::symbolic

#include <gmock/gmock.h>

#include "formulas.hpp"
#include "gfdt/base/error.hpp"

namespace gfdt::symbolic {
namespace {

using testing::HasSubstr;

/// The error is reported at `column` with a message that contains `part`.
void expect_error(const std::string& text, int column, const std::string& part,
                  const std::vector<Index>& open = {{"k", 4}}) {
  try {
    parse(text, LatticeScope(), {}, open);
    ADD_FAILURE() << text << " was read";
  } catch (const InputError& error) {
    EXPECT_THAT(error.message(), HasSubstr(part)) << text;
    EXPECT_EQ(error.place().column, column) << text << ": " << error.message();
    EXPECT_TRUE(error.message().ends_with('.') || error.message().ends_with('?')) << error.message();
  }
}

TEST(ParseError, EmptyFormula) {
  expect_error("", 1, "is empty");
  expect_error("   ", 1, "is empty");
}

TEST(ParseError, Parentheses) {
  expect_error("(x + (y)", 1, "never closed");
  expect_error("x*(y + (z", 8, "never closed");
  expect_error("x + (", 5, "never closed");
  expect_error("x)", 2, "closes nothing");
  expect_error("()", 1, "nothing between");
  expect_error("sin(x", 4, "never closed");
  expect_error("X[k", 2, "never closed");
  expect_error("(x]", 3, "does not fit");
}

TEST(ParseError, DeepNestingIsRejected) {
  expect_error(std::string(1'000'000, '('), 201, "nested more than 200");
  std::string tower = "x";
  for (int i = 0; i < 100'000; ++i) tower += "^x";
  expect_error(tower, 400, "nested more than 200");
}

TEST(ParseError, MissingOperands) {
  expect_error("x +", 4, "missing before the end");
  expect_error("* x", 1, "missing before '*'");
  expect_error("x and", 6, "missing before the end");
  expect_error("and x", 1, "missing before 'and'");
  expect_error("x + not y", 5, "missing before 'not'");
  expect_error("sin()", 1, "takes one argument, not 0");
}

TEST(ParseError, MissingOperators) {
  expect_error("2x", 2, "write 2*x");
  expect_error("x y", 3, "a product is written with *");
  expect_error("2 (x)", 3, "a product is written with *");
  expect_error("x(1 + y)", 1, "x*(...)");
  expect_error("1.2.3", 4, "two decimal points");
}

TEST(ParseError, OperatorsOfOtherLanguages) {
  expect_error("x**2", 2, "written ^");
  expect_error("x = 1", 3, "written ==");
  expect_error("x && y", 3, "written and");
  expect_error("x || y", 3, "written or");
  expect_error("!x", 1, "written not");
  expect_error("x ≤ 1", 3, "written <=");
  expect_error("x²", 2, "^2");
}

TEST(ParseError, Characters) {
  expect_error("x + $", 5, "'$' means nothing");
  expect_error("x + \x01", 5, "control character (code 1)");
  expect_error(std::string("x\0y", 3), 2, "control character (code 0)");
  expect_error("x + \xff", 5, "not valid UTF-8");
  expect_error("σ + \xc3", 5, "not valid UTF-8");
  expect_error("x.y", 2, "'.' means nothing");
}

TEST(ParseError, Numbers) {
  expect_error("1e999", 1, "does not fit");
  expect_error("1e300*1e300", 6, "not finite");
  expect_error("x/0", 2, "division by zero");
  expect_error("x/(y - y)", 2, "division by zero");
  expect_error("0^-1", 2, "division by zero");
  expect_error("log(0)", 1, "log(0) is not a finite number");
  expect_error("sqrt(-1)", 1, "not a real number");
}

TEST(ParseError, NamesAndFunctions) {
  expect_error("x + F1", 5, "F1 is not known. Did you mean 'F0'?");
  expect_error("sine(x)", 1, "Did you mean 'sin'?");
  expect_error("foobar(x)", 1, "no function foobar");
  expect_error("sin + 1", 1, "sin(...)");
  expect_error("sin(x, y)", 1, "takes one argument, not 2");
  expect_error("min(x)", 1, "two or more");
  expect_error("s + 1", 1, "The name s is not known");
}

TEST(ParseError, Indices) {
  expect_error("X", 1, "write X[k], or X[k+1]");
  expect_error("X + 1", 1, "write X[k]");
  expect_error("X[3]", 3, "X[k] or X[k+1]");
  expect_error("X[j]", 3, "X is written X[k]");
  expect_error("X[k,j]", 4, "write X[k]");
  expect_error("Y[j]", 3, "sum(j, ...)");
  expect_error("Y[j]", 4, "write Y[j,k]", {{"j", 3}, {"k", 4}});
  expect_error("x[k]", 1, "without brackets");
  expect_error("k*X[k]", 1, "k is an index, not a number");
  expect_error("X[k]", 3, "sum(k, ...) or mean(k, ...)", {});
  expect_error("sum(k, X[k]) + X[k]", 18, "sum(k, ...)", {});
  expect_error("X[k+1.5]", 5, "whole number");
  expect_error("X[k+k]", 5, "whole number");
  expect_error("sum(l, X[k])", 5, "'l' is not an index");
  expect_error("sum(X[k])", 5, "sum(k, X[k])");
  expect_error("sum(k)", 6, "index and then a formula");
  expect_error("mean + 1", 1, "mean(...)");
}

TEST(ParseError, PositionsCountFromTheOrigin) {
  Origin origin{"model.txt", 7, 10, "drift.x = a + q1"};
  try {
    parse("a + q1", LatticeScope(), origin);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().line, 7);
    EXPECT_EQ(error.place().column, 14);
    EXPECT_THAT(error.what(), HasSubstr("model.txt:7:14"));
  }
}

}  // namespace
}  // namespace gfdt::symbolic

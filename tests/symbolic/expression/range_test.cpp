#include "gfdt/symbolic/expression/range.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "formulas.hpp"
#include "gfdt/symbolic/text/print.hpp"

namespace gfdt::symbolic {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// a = 2 and b = -3; all other names are states.
Interval range_of(const std::string& text) { return range(formula(text), {{"a", 2}, {"b", -3}}); }

TEST(Range, OfPolynomials) {
  EXPECT_EQ(range_of("x"), (Interval{-infinity, infinity}));
  EXPECT_EQ(range_of("a"), (Interval{2, 2}));
  EXPECT_EQ(range_of("x^2"), (Interval{0, infinity}));
  EXPECT_EQ(range_of("x*x*y^2"), (Interval{0, infinity}));
  EXPECT_EQ(range_of("x^3"), (Interval{-infinity, infinity}));
  EXPECT_EQ(range_of("1 + a*x^4 + y^2"), (Interval{1, infinity}));
  EXPECT_EQ(range_of("b*x^2"), (Interval{-infinity, 0}));
  EXPECT_EQ(range_of("0*x"), (Interval{0, 0}));
}

TEST(Range, OfFunctions) {
  EXPECT_EQ(range_of("abs(x)"), (Interval{0, infinity}));
  EXPECT_EQ(range_of("exp(x)"), (Interval{0, infinity}));
  EXPECT_EQ(range_of("exp(-x^2)"), (Interval{0, 1}));
  EXPECT_EQ(range_of("tanh(x)"), (Interval{-1, 1}));
  EXPECT_EQ(range_of("erf(x) + 1"), (Interval{0, 2}));
  EXPECT_EQ(range_of("sin(x)*cos(y)"), (Interval{-1, 1}));
  EXPECT_EQ(range_of("cosh(x)"), (Interval{1, infinity}));
  EXPECT_EQ(range_of("sqrt(x)"), (Interval{0, infinity}));
  EXPECT_EQ(range_of("1/(1 + x^2)"), (Interval{0, 1}));
  EXPECT_EQ(range_of("1/x^2"), (Interval{0, infinity}));
  EXPECT_EQ(range_of("1/x"), (Interval{-infinity, infinity}));
  EXPECT_EQ(range_of("min(x, 3)"), (Interval{-infinity, 3}));
  EXPECT_EQ(range_of("max(x, 3)"), (Interval{3, infinity}));
  EXPECT_EQ(range_of("min(max(x, -1), 1)"), (Interval{-1, 1}));
  EXPECT_EQ(range_of("log(1 + x^2)"), (Interval{0, infinity}));
}

TEST(Range, OfConditions) {
  EXPECT_EQ(range_of("x > 1.5 or y > 1.5"), (Interval{0, 1}));
  EXPECT_EQ(range_of("x > 1 and not y < a"), (Interval{0, 1}));
  EXPECT_EQ(range_of("x^2 < 0"), (Interval{0, 0}));
  EXPECT_EQ(range_of("x^2 <= 0"), (Interval{0, 1}));
  EXPECT_EQ(range_of("b < x^2"), (Interval{1, 1}));
  EXPECT_EQ(range_of("a > b"), (Interval{1, 1}));
  EXPECT_EQ(range_of("3*(x > 1) - 1"), (Interval{-1, 2}));
}

TEST(Range, OfSumsOverSites) {
  EXPECT_EQ(range_of("mean(k, X[k]^2)"), (Interval{0, infinity}));
  EXPECT_EQ(range_of("sum(k, X[k] > 1)"), (Interval{0, 4}));
  EXPECT_EQ(range_of("mean(k, tanh(X[k]))"), (Interval{-1, 1}));
}

/// Random formulas of x and y with all functions.
class Formulas {
 public:
  explicit Formulas(unsigned seed) : engine_(seed) {}

  Expression formula(int depth) {
    if (depth == 0) return leaf();
    const auto sub = [&] { return formula(depth - 1); };
    constexpr Function one[] = {Function::exp,  Function::sin, Function::cos,  Function::sinh, Function::cosh,
                                Function::tanh, Function::abs, Function::sign, Function::atan, Function::erf};
    constexpr Function two[] = {Function::min,        Function::max,         Function::less,
                                Function::less_equal, Function::logical_and, Function::logical_or};
    switch (pick(6)) {
      case 0:
        return sub() + sub();
      case 1:
        return sub() * sub();
      case 2:
        return power(sub() + Expression::symbol("x") + 0.1, static_cast<double>(pick(7)) - 2);
      case 3:
        return call(two[static_cast<std::size_t>(pick(6))], {sub(), sub()});
      default:
        return call(one[static_cast<std::size_t>(pick(10))], {sub()});
    }
  }
  double state() { return std::tan(1.5 * std::uniform_real_distribution<double>(-1, 1)(engine_)); }

 private:
  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(engine_); }
  Expression leaf() {
    const int which = pick(3);
    return which == 0 ? Expression::symbol("x") : which == 1 ? Expression::symbol("y") : Expression(pick(5) - 2.0);
  }

  std::mt19937 engine_;
};

TEST(Range, ContainsTheValuesOfRandomFormulas) {
  Formulas formulas(7);
  for (int i = 0; i < 2000; ++i) {
    const Expression drawn = formulas.formula(1 + i % 4);
    const Interval bounds = range(drawn, {});
    for (int j = 0; j < 20; ++j) {
      const double x = formulas.state(), y = formulas.state();
      const double value = evaluate(drawn, {[&](const std::string& name) { return name == "x" ? x : y; }, {}});
      if (std::isnan(value)) continue;
      const double slack = 1e-12 * std::abs(value);
      EXPECT_TRUE(bounds.lower - slack <= value && value <= bounds.upper + slack)
          << to_string(drawn) << " is " << value << ", not in [" << bounds.lower << ", " << bounds.upper << "]";
    }
  }
}

}  // namespace
}  // namespace gfdt::symbolic

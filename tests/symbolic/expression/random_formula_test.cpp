#include <gtest/gtest.h>

#include <random>

#include "formulas.hpp"
#include "gfdt/symbolic/expression/derivative.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"
#include "gfdt/symbolic/text/print.hpp"

namespace gfdt::symbolic {
namespace {

class RandomFormulas {
 public:
  explicit RandomFormulas(unsigned seed) : engine_(seed) {}

  /// A smooth formula of moderate size for arguments in (0.3, 1.3).
  Expression smooth(int depth) {
    if (depth == 0) return leaf();
    auto sub = [&] { return smooth(depth - 1); };
    switch (pick(13)) {
      case 0:
        return sub() + sub();
      case 1:
        return sub() - sub();
      case 2:
        return sub() * sub();
      case 3:
        return sub() / (1.5 + power(sub(), 2.0));
      case 4:
        return power(1.0 + power(sub(), 2.0), -0.5);
      case 5:
        return sqrt(1.0 + power(sub(), 2.0));
      case 6:
        return call(Function::tanh, {sub()});
      case 7:
        return call(Function::sin, {sub()});
      case 8:
        return power(sub(), 2.0) + leaf();
      case 9:
        return call(Function::exp, {call(Function::atan, {sub()})});
      case 10:
        return mean(scope_.k, sub());
      case 11:
        return sum(scope_.j, call(Function::erf, {sub()}));
      default:
        return power(call(Function::cosh, {call(Function::tanh, {sub()})}), call(Function::sin, {leaf()}));
    }
  }

  Expression any(int depth) {
    if (depth == 0) return leaf();
    auto sub = [&] { return any(depth - 1); };
    switch (pick(12)) {
      case 0:
        return call(Function::less, {sub(), sub()});
      case 1:
        return call(Function::less_equal, {sub(), sub()});
      case 2:
        return call(Function::equal, {sub(), sub()});
      case 3:
        return call(Function::logical_and, {sub(), sub(), sub()});
      case 4:
        return call(Function::logical_or, {sub(), sub()});
      case 5:
        return call(Function::logical_not, {sub()});
      case 6:
        return call(Function::min, {sub(), sub()});
      case 7:
        return power(2.0 + power(sub(), 2.0), number());
      case 8:
        return sub() * sub() * number() / (1.0 + call(Function::abs, {sub()}));
      case 9:
        return -sub() * mean(scope_.k, sub()) / formula("x");
      default:
        return smooth(depth);
    }
  }

  double number() {
    constexpr double numbers[] = {2, -1, 0.5, -0.5, 3, 1.0 / 3, -2.0 / 7, 0.1, 1e-5, 41, 0.1 + 0.2, 5.0 / 3, -3};
    return numbers[pick(std::size(numbers))];
  }

 private:
  Expression leaf() {
    constexpr const char* leaves[] = {"x", "y", "z", "a", "X[k]", "X[k+1]", "X[k-2]", "W[j]", "Y[j,k]", "Z[k-1]"};
    constexpr double numbers[] = {2, -1, 0.5, 1.0 / 3, -0.7, 0.1 + 0.2};
    if (pick(5) == 0) return numbers[pick(std::size(numbers))];
    return formula(leaves[pick(std::size(leaves))], scope_);
  }

  std::size_t pick(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(engine_); }

  std::mt19937 engine_;
  LatticeScope scope_;
};

constexpr int rounds = 2000;

TEST(RandomFormulas, DerivativesAgreeWithDifferences) {
  RandomFormulas random(1);
  for (int i = 0; i < rounds; ++i) {
    Expression e = random.smooth(3);
    Expression slope = derivative(e, formula("x"));
    constexpr double step = 1e-4;
    double measured = (SomeValues{{{"x", step}}}.of(e) - SomeValues{{{"x", -step}}}.of(e)) / (2 * step);
    ASSERT_NEAR(SomeValues{}.of(slope), measured, 1e-5 * (1 + std::abs(measured))) << to_string(e);
    ASSERT_EQ(directional_derivative(e, {{"x", 1.0}}), slope) << to_string(e);
  }
}

TEST(RandomFormulas, DerivativesWithRespectToSitesAgreeWithDifferences) {
  RandomFormulas random(2);
  int entangled = 0;
  for (int i = 0; i < rounds; ++i) {
    Expression e = random.smooth(3);
    Expression slope;
    try {
      slope = derivative(e, formula("X[k+1]"));
    } catch (const Error&) {
      ++entangled;
      continue;
    }
    constexpr double step = 1e-4;
    double measured = (SomeValues{{{"X 3", step}}}.of(e) - SomeValues{{{"X 3", -step}}}.of(e)) / (2 * step);
    ASSERT_NEAR(SomeValues{}.of(slope), measured, 1e-5 * (1 + std::abs(measured))) << to_string(e);
  }
  EXPECT_LT(entangled, rounds / 20);
}

TEST(RandomFormulas, RewritesPreserveTheValue) {
  RandomFormulas random(3);
  SomeValues values;
  for (int i = 0; i < rounds; ++i) {
    Expression e = random.smooth(3);
    double value = values.of(e);
    double tolerance = 1e-9 * (1 + std::abs(value));
    ASSERT_NEAR(values.of(expand(e)), value, tolerance) << to_string(e);
    ASSERT_NEAR(values.of(collect_factors(e)), value, tolerance) << to_string(e);
    ASSERT_NEAR(values.of(collect_factors(expand(e), {"x", "X"})), value, tolerance) << to_string(e);
    ASSERT_NEAR(values.of(shift(e, "k", 1), {{"j", 1}, {"k", 1}}), value, tolerance) << to_string(e);
  }
}

TEST(RandomFormulas, SubstitutionEqualsAChangeOfValues) {
  RandomFormulas random(4);
  SomeValues values;
  SomeValues moved{{{"x", 0.25}, {"X 0", 0.5}, {"X 1", 0.5}, {"X 2", 0.5}, {"X 3", 0.5}}};
  for (int i = 0; i < rounds; ++i) {
    Expression e = random.smooth(3);
    Expression replaced = substitute(e, {{"x", formula("x + 0.25")}, {"X", formula("X[k] + 0.5")}});
    double value = moved.of(e);
    ASSERT_NEAR(values.of(replaced), value, 1e-9 * (1 + std::abs(value))) << to_string(e);
  }
}

TEST(RandomFormulas, PrintedFormulasReadBack) {
  RandomFormulas random(5);
  for (int i = 0; i < 5 * rounds; ++i) {
    Expression e = random.any(3);
    ASSERT_EQ(formula(to_string(e)), e) << to_string(e) << "\n" << to_string(formula(to_string(e)));
    for (const Expression& f : {expand(e), collect_factors(e)}) ASSERT_EQ(formula(to_string(f)), f) << to_string(f);
  }
}

}  // namespace
}  // namespace gfdt::symbolic

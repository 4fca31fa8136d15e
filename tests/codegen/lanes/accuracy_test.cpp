// Largest errors of the vector functions, in units in the last place of the exact result.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "functions.hpp"

namespace gfdt::lanes::test {
namespace {

long double ulp_at(long double value, int digits, int lowest_exponent) {
  int exponent = 0;
  std::frexp(std::abs(value), &exponent);
  return std::ldexp(1.0L, std::max(exponent, lowest_exponent) - digits);
}

template <class T>
double error_in_ulps(T got, long double exact) {
  using Limits = std::numeric_limits<T>;
  if (std::isnan(got) || std::isnan(exact)) return std::isnan(got) && std::isnan(exact) ? 0.0 : HUGE_VAL;
  if (std::isinf(got)) {
    const long double reach = Limits::max() + 0.5L * ulp_at(Limits::max(), Limits::digits, Limits::min_exponent);
    const bool overflows = std::signbit(got) == std::signbit(exact) && std::abs(exact) >= reach;
    return overflows ? 0.0 : HUGE_VAL;
  }
  return static_cast<double>(std::abs(got - exact) / ulp_at(exact, Limits::digits, Limits::min_exponent));
}

struct Case {
  const char* name;
  Function function;
  long double (*exact)(long double);
  double lowest, highest;            // range of the uniform grid and of the uniform random arguments
  double smallest, largest;          // range of magnitudes of the log-uniform random arguments
  double float_bound, double_bound;  // in ulps
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

constexpr double huge = 1e300;
const Case cases[] = {
    {"sqrt", Function::sqrt, std::sqrt, 0, 100, 1e-320, huge, 0.501, 0.501},
    {"exp", Function::exp, std::exp, -760, 720, 1e-320, 800, 1.1, 1.1},
    {"log", Function::log, std::log, 0.4, 3, 1e-320, huge, 1.0, 1.0},
    {"sin", Function::sin, std::sin, -30, 30, 1e-300, 1e6, 2.0, 2.0},
    {"cos", Function::cos, std::cos, -30, 30, 1e-300, 1e6, 2.0, 2.0},
    {"tan", Function::tan, std::tan, -30, 30, 1e-300, 1e6, 1.5, 1.5},
    {"sinh", Function::sinh, std::sinh, -3, 3, 1e-300, 800, 2.5, 2.5},
    {"cosh", Function::cosh, std::cosh, -3, 3, 1e-300, 800, 2.0, 2.0},
    {"tanh", Function::tanh, std::tanh, -3, 3, 1e-300, 800, 3.0, 3.0},
    {"atan", Function::atan, std::atan, -30, 30, 1e-300, huge, 1.0, 1.0},
    {"erf", Function::erf, std::erf, -6, 6, 1e-300, 100, 1.5, 1.5},
};

template <class T>
std::vector<T> arguments(const Case& c) {
  std::vector<T> x;
  constexpr int grid = 200000;
  for (int i = 0; i <= grid; ++i) x.push_back(static_cast<T>(c.lowest + (c.highest - c.lowest) * i / grid));
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(c.lowest, c.highest);
  std::uniform_real_distribution<double> logarithm(std::log(c.smallest), std::log(c.largest));
  for (int i = 0; i < grid; ++i) {
    x.push_back(static_cast<T>(uniform(random)));
    const double magnitude = std::exp(logarithm(random));
    x.push_back(static_cast<T>(c.lowest < 0 && i % 2 != 0 ? -magnitude : magnitude));
  }
  // Arguments next to multiples of π/2 and of ln 2, where the argument reductions cancel.
  for (int k = 1; k < 4000; ++k) {
    for (const double step : {1.5707963267948966, 0.69314718055994531}) {
      const auto centre = static_cast<T>(k * step);
      for (const T value : {centre, std::nextafter(centre, T{0}), std::nextafter(centre, 2 * centre)}) {
        if (value < c.largest) x.push_back(value);
        if (c.lowest < 0 && value < c.largest) x.push_back(-value);
      }
    }
  }
  return x;
}

template <class T>
void expect_accurate(const Case& c, double bound) {
  const std::vector<T> x = arguments<T>(c);
  for (const Isa isa : available_isas()) {
    const std::vector<T> y = apply<T>(isa, c.function, x);
    double worst = 0;
    T where = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double error = error_in_ulps(y[i], c.exact(static_cast<long double>(x[i])));
      if (error > worst) worst = error, where = x[i];
    }
    EXPECT_LE(worst, bound) << c.name << " in " << (sizeof(T) == 4 ? "float" : "double") << " on " << name(isa)
                            << " at " << where << ", where it gives " << apply<T>(isa, c.function, where);
  }
}

class Accuracy : public testing::TestWithParam<Case> {};

TEST_P(Accuracy, InSinglePrecision) { expect_accurate<float>(GetParam(), GetParam().float_bound); }
TEST_P(Accuracy, InDoublePrecision) { expect_accurate<double>(GetParam(), GetParam().double_bound); }

INSTANTIATE_TEST_SUITE_P(Lanes, Accuracy, testing::ValuesIn(cases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(Accuracy, SinAndCosBeyondTheReductionEqualTheLibrary) {
  for (const Isa isa : available_isas()) {
    for (const double x : {1.1e6, 3e9, -7e15, 1e300}) {
      EXPECT_EQ(apply(isa, Function::sin, x), std::sin(x));
      EXPECT_EQ(apply(isa, Function::cos, x), std::cos(x));
    }
    for (const float x : {1.1e4f, -3e9f, 1e38f}) {
      EXPECT_EQ(apply(isa, Function::sin, x), std::sin(x));
      EXPECT_EQ(apply(isa, Function::cos, x), std::cos(x));
    }
  }
}

}  // namespace
}  // namespace gfdt::lanes::test

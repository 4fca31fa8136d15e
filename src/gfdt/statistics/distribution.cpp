#include "gfdt/statistics/distribution.hpp"

#include <cmath>
#include <initializer_list>
#include <limits>

#include "gfdt/base/error.hpp"

namespace gfdt::statistics {
namespace {

/// std::lgamma writes to a global variable and is therefore not thread-safe.
double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

constexpr double tiny = 1e-300;
constexpr double precision = 1e-15;
constexpr int most_terms = 10000;

/// Lentz's evaluation of the continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8).
double beta_fraction(double a, double b, double x) {
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < tiny ? tiny : d);
  double value = d;
  for (int m = 1; m < most_terms; ++m) {
    for (double numerator : {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                             -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))}) {
      d = 1 + numerator * d;
      d = 1 / (std::abs(d) < tiny ? tiny : d);
      c = 1 + numerator / c;
      if (std::abs(c) < tiny) c = tiny;
      value *= c * d;
    }
    if (std::abs(c * d - 1) < precision) break;
  }
  return value;
}

/// The value whose tail probability is 1 − coverage. Tails decrease from 1 at 0.
template <class Tail>
double interval(double coverage, Tail tail) {
  if (!(coverage > 0 && coverage < 1)) throw Error("The coverage of an interval lies between 0 and 1.");
  double low = 0, high = 1;
  while (tail(high) > 1 - coverage) high *= 2;
  for (int i = 0; i < 200 && high - low > precision * high; ++i) {
    double middle = (low + high) / 2;
    (tail(middle) > 1 - coverage ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  double front = std::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double f_tail(double value, double numerator_freedom, double denominator_freedom) {
  if (std::isnan(value)) return std::numeric_limits<double>::quiet_NaN();
  return incomplete_beta(denominator_freedom / 2, numerator_freedom / 2,
                         denominator_freedom / (denominator_freedom + numerator_freedom * value));
}

double student_t_tail(double value, double degrees_of_freedom) {
  if (std::isnan(value)) return std::numeric_limits<double>::quiet_NaN();
  return incomplete_beta(degrees_of_freedom / 2, 0.5, degrees_of_freedom / (degrees_of_freedom + value * value));
}

double student_t_interval(double coverage, double degrees_of_freedom) {
  return interval(coverage, [=](double value) { return student_t_tail(value, degrees_of_freedom); });
}

double chi_square_interval(double coverage, double degrees_of_freedom) {
  return interval(coverage, [=](double value) { return chi_square_tail(value, degrees_of_freedom); });
}

double hotelling_tail(double value, int dimension, double degrees_of_freedom) {
  // Above this limit, 1 − value/ν has lost its significant digits.
  constexpr double as_good_as_known = 1e6;
  if (degrees_of_freedom > as_good_as_known) return chi_square_tail(value, dimension);
  if (!(degrees_of_freedom > dimension - 1)) return 1;
  return incomplete_beta((degrees_of_freedom - dimension + 1) / 2, dimension / 2.0,
                         degrees_of_freedom / (degrees_of_freedom + value));
}

double hotelling_interval(double coverage, int dimension, double degrees_of_freedom) {
  if (!(degrees_of_freedom > dimension - 1)) return std::numeric_limits<double>::infinity();
  return interval(coverage, [=](double value) { return hotelling_tail(value, dimension, degrees_of_freedom); });
}

double chi_square_tail(double value, double degrees_of_freedom) {
  double a = degrees_of_freedom / 2, x = value / 2;
  if (x <= 0) return 1;
  double front = std::exp(a * std::log(x) - x - log_gamma(a));
  if (x < a + 1) {
    double term = 1 / a, total = term;
    for (int n = 1; n < most_terms && term > precision * total; ++n) total += term *= x / (a + n);
    return 1 - front * total;
  }
  double b = x + 1 - a, c = 1 / tiny, d = 1 / b, value_of_fraction = d;
  for (int n = 1; n < most_terms; ++n) {
    double numerator = -n * (n - a);
    b += 2;
    d = 1 / (std::abs(numerator * d + b) < tiny ? tiny : numerator * d + b);
    c = std::abs(b + numerator / c) < tiny ? tiny : b + numerator / c;
    value_of_fraction *= c * d;
    if (std::abs(c * d - 1) < precision) break;
  }
  return front * value_of_fraction;
}

}  // namespace gfdt::statistics

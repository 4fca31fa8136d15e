// Comparison with tables (Abramowitz and Stegun 26.7, 26.10) and closed forms.
#include "gfdt/statistics/distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace gfdt::statistics {
namespace {

void expect_relative(double value, double exact, double tolerance) {
  EXPECT_NEAR(value / exact, 1, tolerance) << value << " instead of " << exact;
}

TEST(IncompleteBeta, AgreesWithClosedForms) {
  for (const double x : {1e-12, 1e-3, 0.2, 0.5, 0.8, 0.999}) {
    expect_relative(incomplete_beta(1, 1, x), x, 1e-13);
    expect_relative(incomplete_beta(3, 1, x), std::pow(x, 3), 1e-13);
    EXPECT_NEAR(incomplete_beta(1, 4, x), 1 - std::pow(1 - x, 4), 1e-14);
    expect_relative(incomplete_beta(0.5, 0.5, x), 2 / std::numbers::pi * std::asin(std::sqrt(x)), 1e-12);
    expect_relative(incomplete_beta(2, 3, x), x * x * (6 - 8 * x + 3 * x * x), 1e-12);
  }
}

TEST(IncompleteBeta, IsSymmetric) {
  for (const double a : {0.3, 1.0, 7.5, 200.0})
    for (const double b : {0.5, 2.0, 30.0, 5000.0})
      for (const double x : {0.01, 0.3, 0.5, 0.9})
        EXPECT_NEAR(incomplete_beta(a, b, x) + incomplete_beta(b, a, 1 - x), 1, 1e-11) << a << " " << b << " " << x;
}

TEST(IncompleteBeta, EndsAtZeroAndOne) {
  EXPECT_EQ(incomplete_beta(2, 3, 0), 0);
  EXPECT_EQ(incomplete_beta(2, 3, 1), 1);
}

TEST(StudentT, AgreesWithClosedForms) {
  for (const double t : {0.1, 1.0, 3.0, 50.0, 1e6}) {
    expect_relative(student_t_tail(t, 1), 2 / std::numbers::pi * std::atan(1 / t), 1e-10);
    expect_relative(student_t_tail(t, 2), 2 / (std::sqrt(2 + t * t) * (std::sqrt(2 + t * t) + t)), 1e-10);
  }
  EXPECT_EQ(student_t_tail(0, 5), 1);
  EXPECT_EQ(student_t_tail(-2.5, 7), student_t_tail(2.5, 7));
  EXPECT_EQ(student_t_tail(std::numeric_limits<double>::infinity(), 7), 0);
  EXPECT_TRUE(std::isnan(student_t_tail(std::nan(""), 7)));
}

TEST(StudentT, AgreesWithTheTables) {
  EXPECT_NEAR(student_t_interval(0.95, 1), 12.706, 5e-4);
  EXPECT_NEAR(student_t_interval(0.95, 4), 2.776, 5e-4);
  EXPECT_NEAR(student_t_interval(0.95, 10), 2.228, 5e-4);
  EXPECT_NEAR(student_t_interval(0.99, 10), 3.169, 5e-4);
  EXPECT_NEAR(student_t_interval(0.999, 30), 3.646, 5e-4);
  EXPECT_NEAR(student_t_interval(0.9, 120), 1.658, 5e-4);
  EXPECT_NEAR(student_t_interval(0.95, 1e7), 1.959964, 5e-6);
}

// Logarithms of Γ(ν/2) cancel with rounding errors of the order of ν ln ν.
TEST(StudentT, IntervalAndTailAreInverse) {
  for (const double freedom : {1.0, 2.5, 9.0, 99.0, 1e5})
    for (const double coverage : {0.05, 0.5, 0.95, 0.9999})
      EXPECT_NEAR(student_t_tail(student_t_interval(coverage, freedom), freedom), 1 - coverage,
                  1e-12 + 1e-15 * freedom);
}

TEST(StudentT, BecomesNormalWithManyDegreesOfFreedom) {
  for (const double t : {0.5, 2.0, 6.0}) expect_relative(student_t_tail(t, 1e9), std::erfc(t / std::sqrt(2)), 1e-6);
}

TEST(ChiSquare, AgreesWithClosedForms) {
  for (const double x : {0.01, 1.0, 4.0, 30.0, 600.0}) {
    expect_relative(chi_square_tail(x, 2), std::exp(-x / 2), 1e-12);
    expect_relative(chi_square_tail(x, 4), std::exp(-x / 2) * (1 + x / 2), 1e-12);
    expect_relative(chi_square_tail(x, 1), std::erfc(std::sqrt(x / 2)), 1e-12);
  }
  EXPECT_EQ(chi_square_tail(0, 3), 1);
}

TEST(ChiSquare, AgreesWithTheTables) {
  EXPECT_NEAR(chi_square_tail(3.84146, 1), 0.05, 1e-6);
  EXPECT_NEAR(chi_square_tail(18.307, 10), 0.05, 1e-5);
  EXPECT_NEAR(chi_square_tail(23.209, 10), 0.01, 1e-5);
  EXPECT_NEAR(chi_square_tail(124.342, 100), 0.05, 1e-5);
  EXPECT_NEAR(chi_square_tail(67.328, 100), 0.995, 1e-5);
}

TEST(ChiSquare, IntervalIsTheInverseOfTheTail) {
  EXPECT_NEAR(chi_square_interval(0.95, 1), 3.841459, 1e-6);
  EXPECT_NEAR(chi_square_interval(0.95, 3), 7.814728, 1e-6);
  EXPECT_NEAR(chi_square_interval(0.99, 10), 23.209251, 1e-6);
}

TEST(Hotelling, IsTheSquareOfStudentInOneDimension) {
  for (const double t : {0.5, 2.0, 4.0}) expect_relative(hotelling_tail(t * t, 1, 9), student_t_tail(t, 9), 1e-12);
}

TEST(Hotelling, AgreesWithTheTableOfF) {
  // F(0.95; 3, 10) = 3.708265, T² = 3·12/10 · F with 12 degrees of freedom.
  EXPECT_NEAR(hotelling_interval(0.95, 3, 12), 3.708265 * 36 / 10, 1e-5);
  EXPECT_NEAR(hotelling_interval(0.95, 3, 1e9), chi_square_interval(0.95, 3), 1e-5);
  EXPECT_EQ(hotelling_interval(0.95, 3, INFINITY), chi_square_interval(0.95, 3));
  EXPECT_EQ(hotelling_interval(0.95, 3, 2), INFINITY);
  EXPECT_EQ(hotelling_tail(1e9, 3, 2), 1);
  for (const double freedom : {1e5, 1e7, 1e12, 1e20}) {
    expect_relative(hotelling_tail(14, 3, freedom), chi_square_tail(14, 3), 2e-3);
    EXPECT_LT(hotelling_tail(3362, 2, freedom), 1e-300);
  }
}

}  // namespace
}  // namespace gfdt::statistics

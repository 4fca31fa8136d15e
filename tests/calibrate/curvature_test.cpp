#include "gfdt/calibrate/posterior/curvature.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "search_cases.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::VectorXd;

/// One parameter θ with the statistic f(θ), known to ±std, with the answer θ = 1.
Calibration answer_of(const MapEvaluator::Map& map, double std) {
  Case c{problem_with({1.2}, map(VectorXd::Ones(1)), diagonal(1, std * std)), MapEvaluator(map, diagonal(1, 0))};
  c.options.curvature = true;
  return c.run();
}

TEST(Curvature, OfALinearMapVanishes) {
  const Calibration found = answer_of([](const VectorXd& x) -> VectorXd { return 2 * x; }, 0.1);
  ASSERT_TRUE(found.curvature.measured);
  EXPECT_LT(found.curvature.largest, 1e-9);
  EXPECT_FALSE(found.curvature.matters());
  EXPECT_NEAR(found.curvature.lower[0], 1 - 1.96 * 0.05, 1e-6);
  EXPECT_NEAR(found.curvature.upper[0], 1 + 1.96 * 0.05, 1e-6);
}

TEST(Curvature, OfALinearMapVanishesWithABound) {
  for (const double std : {0.1, 2.0}) {
    Problem problem = problem_with({1.2}, VectorXd::Constant(1, 2), diagonal(1, std * std));
    problem.parameters[0].lower = 0;
    Case c{problem, MapEvaluator([](const VectorXd& x) -> VectorXd { return 2 * x; }, diagonal(1, 0))};
    c.options.curvature = true;
    const Calibration found = c.run();
    ASSERT_TRUE(found.curvature.measured);
    EXPECT_EQ(found.curvature.matters(), std > 1) << "1 ± 2 leaves the bound, and no Gaussian does not";
    if (std < 1) {
      EXPECT_LT(found.curvature.largest, 1e-3);
      EXPECT_NEAR(found.curvature.lower[0], 1 - 1.96 * 0.05, 2e-3);
    }
  }
}

TEST(Curvature, OfASquareGivesTheIntervalOfItsRoot) {
  // θ² = 1 ± 0.4: σ_θ = 0.2, and the 95 % interval is the set of θ with θ² within 1.96 · 0.4 of 1.
  const Calibration found = answer_of([](const VectorXd& x) -> VectorXd { return x.cwiseAbs2(); }, 0.4);
  EXPECT_NEAR(found.parameters[0], 1, 1e-3);
  EXPECT_NEAR(found.curvature.lower[0], std::sqrt(1 - 1.96 * 0.4), 2e-3);
  EXPECT_NEAR(found.curvature.upper[0], std::sqrt(1 + 1.96 * 0.4), 2e-3);
  // q = t²/σ at t = 1.96 · 0.2, over 1.96; the standard error 0.2 is that of the last iterate, which is close to the
  // answer.
  EXPECT_NEAR(found.curvature.largest, 1.96 * 0.04 / 0.4, 0.01);
  EXPECT_TRUE(answer_of([](const VectorXd& x) -> VectorXd { return x.cwiseAbs2(); }, 0.8).curvature.matters());
}

// A valley y = −e^{kx}: the profile of x is that of its own statistic, x = 1 ± 0.3, for every k.
TEST(Curvature, IfStrongMakesNoIntervalNarrowerThanTheGaussian) {
  for (const double k : {1.5, 2.0}) {
    const auto map = [k](const VectorXd& x) -> VectorXd { return Eigen::Vector2d(x(0), x(1) + std::exp(k * x(0))); };
    Case c{problem_with({1.1, 29}, map(Eigen::Vector2d(1, 30)), Eigen::Vector2d(0.09, 0.01).asDiagonal()),
           MapEvaluator(map, diagonal(2, 0))};
    c.options.curvature = true;
    const Calibration found = c.run();
    ASSERT_TRUE(found.curvature.is_strong()) << k << ": " << found.curvature.largest;
    EXPECT_LE(found.curvature.lower[0], found.parameters[0] - 0.9 * 1.96 * 0.3) << k;
    EXPECT_GE(found.curvature.upper[0], found.parameters[0] + 0.9 * 1.96 * 0.3) << k;
  }
}

TEST(Curvature, IsInfiniteIfTheModelCannotBeEvaluated) {
  Case c{problem_with({1.2}, VectorXd::Ones(1), diagonal(1, 0.01)),
         MapEvaluator([](const VectorXd& x) -> VectorXd { return x; }, diagonal(1, 0))};
  c.options.curvature = true;
  c.evaluator.fails = [](const Request& request) { return request.parameters[0] < 0.9; };
  const Calibration found = c.run();
  EXPECT_EQ(found.status, Status::within_noise);
  EXPECT_TRUE(found.curvature.matters());
  EXPECT_TRUE(std::isinf(found.curvature.lower[0]));
  EXPECT_NEAR(found.curvature.upper[0], 1.196, 1e-3);
}

}  // namespace
}  // namespace gfdt::calibrate

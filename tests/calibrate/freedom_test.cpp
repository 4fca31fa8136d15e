#include "gfdt/calibrate/search/freedom.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "gfdt/calibrate/targets/mismatch.hpp"
#include "gfdt/statistics/distribution.hpp"
#include "linear_problems.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double known = std::numeric_limits<double>::infinity();

TEST(Freedom, OfASumIsThatOfItsDominantPart) {
  const VectorXd whole = Eigen::Vector2d(2, 4);
  EXPECT_DOUBLE_EQ(combined_freedom(whole, 7, whole, 19), 7);
  EXPECT_DOUBLE_EQ(combined_freedom(0 * whole, 7, whole, 19), 19);
  EXPECT_DOUBLE_EQ(combined_freedom(0.5 * whole, 7, whole, 7), 14);
  EXPECT_DOUBLE_EQ(combined_freedom(0.5 * whole, 7, whole, known), 28);
  EXPECT_EQ(combined_freedom(0.5 * whole, known, whole, known), known);
}

TEST(Freedom, OfASimulationIsTheSmallestOfItsStatistics) {
  Evaluation evaluation;
  evaluation.statistics.resize(2);
  EXPECT_EQ(simulation_freedom(evaluation), known);
  evaluation.statistics[0].degrees_of_freedom = 30;
  evaluation.statistics[1].degrees_of_freedom = 9;
  EXPECT_EQ(simulation_freedom(evaluation), 9);
}

/// How often the tail probability of pure noise is below `level`, with covariances estimated from few members.
double share_below(double level, Eigen::Index size, int of_targets, int of_simulation, double ratio, int trials) {
  Normals normals(5);
  const MatrixXd target_noise = some_covariance(normals, size, 1), noise = ratio * target_noise;
  int below = 0;
  for (int trial = 0; trial < trials; ++trial) {
    Targets targets;
    targets.value = std::vector<double>(static_cast<std::size_t>(size), 0.0);
    targets.covariance = values_of(normals.estimate(target_noise, of_targets));
    targets.degrees_of_freedom = of_targets;
    Evaluation evaluation;
    const VectorXd mean = normals.draw(target_noise + noise);
    for (const double value : mean) {
      evaluation.statistics.emplace_back();
      evaluation.statistics.back().mean = value;
      evaluation.statistics.back().degrees_of_freedom = of_simulation;
    }
    evaluation.mean_covariance = values_of(normals.estimate(noise, of_simulation));
    below += mismatch(evaluation, targets).tail < level;
  }
  return below / static_cast<double>(trials);
}

// 2000 trials: 4 standard deviations of the share are 0.0195, a false-alarm rate of 6e-5.
TEST(MismatchTail, IsUniformWithEstimatedCovariances) {
  EXPECT_NEAR(share_below(0.05, 4, 19, 500, 1e-3, 2000), 0.05, 0.0195);  // estimated from data
  EXPECT_NEAR(share_below(0.05, 4, 19, 19, 1e3, 2000), 0.05, 0.0195);    // estimated from runs
  EXPECT_NEAR(share_below(0.05, 3, 15, 25, 1, 2000), 0.05, 0.0195);      // both estimated
}

// χ² would reject pure noise at more than twice the nominal rate.
TEST(MismatchTail, OfFewDegreesOfFreedomIsNotThatOfChiSquare) {
  EXPECT_GT(statistics::hotelling_tail(9.49, 4, 19), 2 * statistics::chi_square_tail(9.49, 4));
}

// With fewer than two degrees of freedom per target, Bonferroni's bound for Student's t is used: the rate is below 5 %,
// but not 0.
TEST(MismatchTail, OfVeryFewDegreesOfFreedomIsConservative) {
  const double share = share_below(0.05, 6, 9, 500, 1e-6, 1000);
  EXPECT_LT(share, 0.05 + 0.0276);
  EXPECT_GT(share, 0.005);
  EXPECT_LT(noise_tail(1e6, 6, 9, VectorXd::Constant(6, 40.0)), 1e-8);
  EXPECT_TRUE(std::isnan(noise_tail(1e6, 6, 9, VectorXd::Constant(6, std::nan("")))));
}

}  // namespace
}  // namespace gfdt::calibrate

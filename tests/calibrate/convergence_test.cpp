#include "gfdt/calibrate/search/convergence.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "linear_problems.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

LinearModel one_parameter(double residual, double target_variance, double simulation_variance) {
  return linear_model_of(MatrixXd::Ones(1, 1), VectorXd::Constant(1, residual),
                         MatrixXd::Constant(1, 1, target_variance), MatrixXd::Constant(1, 1, simulation_variance));
}

TEST(Prospect, MeasuresTheDistanceFromTheMinimumInPosteriorStandardErrors) {
  const Prospect found = prospect(one_parameter(2, 3, 1));
  EXPECT_DOUBLE_EQ(found.step(0), -2);
  EXPECT_NEAR(found.remaining, 1, 1e-12);                  // 2/√4
  EXPECT_NEAR(found.simulation_share, 0.5, 1e-12);         // √(1/4)
  EXPECT_NEAR(found.significance, 4 / (1 + 4e-4), 1e-12);  // 2²/1, with the floor of 10⁻⁴ · 4
  EXPECT_FALSE(found.at_minimum());
  EXPECT_TRUE(prospect(one_parameter(0.19, 3, 1)).at_minimum());
  EXPECT_FALSE(prospect(one_parameter(0.21, 3, 1)).at_minimum());
}

TEST(Prospect, PredictsTheLengthAtWhichSimulationNoiseIsNegligible) {
  // Its variance is a third of that of the targets and must decrease to 0.07² of it.
  EXPECT_NEAR(prospect(one_parameter(2, 3, 1)).sufficient_length(10), 10 / 3.0 / std::pow(0.07, 2), 1e-9);
  EXPECT_EQ(prospect(one_parameter(2, 3, 0)).sufficient_length(10), 0);
  EXPECT_TRUE(std::isinf(prospect(one_parameter(2, 0, 1)).sufficient_length(10)));
}

TEST(Prospect, CountsPriorsAmongTheTargets) {
  // The statistic is insensitive; the prior is 5 of its standard deviations away.
  LinearModel model = one_parameter(0.1, 1, 1);
  model.jacobian.setZero();
  model.prior_precision << 4;
  model.prior_offset << 2.5;
  const Prospect found = prospect(model);
  EXPECT_NEAR(found.step(0), -2.5, 1e-9);
  EXPECT_NEAR(found.remaining, 5, 1e-6);
  EXPECT_EQ(found.degrees_of_freedom, 1);
  // A dominant prior, P = 1/(1/2 + 100); the mismatch of the statistic remains.
  model.jacobian.setOnes();
  model.prior_precision << 100;
  model.prior_offset << 0;
  model.residual << 7;
  const Prospect held = prospect(model);
  EXPECT_NEAR(held.step(0), -3.5 / 100.5, 1e-9);
  EXPECT_NEAR(held.remaining, 3.5 / std::sqrt(100.5), 1e-6);
  EXPECT_NEAR(held.chi_square, 49 / (2 + 0.01), 1e-6);
  EXPECT_FALSE(held.reachable);
}

TEST(Prospect, CountsDeterminedDirections) {
  Normals normals(4);
  MatrixXd jacobian = normals.matrix(4, 3);
  jacobian.col(2).setZero();
  const MatrixXd noise = 1e-3 * MatrixXd::Identity(4, 4);
  const LinearModel model = linear_model_of(jacobian, 0.03 * normals.vector(4), 0.5 * noise, 0.5 * noise);
  const Prospect found = prospect(model);
  EXPECT_EQ(found.rank, 2);
  EXPECT_EQ(found.degrees_of_freedom, 2);
  EXPECT_EQ(found.step(2), 0);
  // With more parameters than targets, every target is reachable.
  const Prospect wide = prospect(linear_model_of(normals.matrix(2, 3), 100 * normals.vector(2),
                                                 1e-3 * MatrixXd::Identity(2, 2), 1e-3 * MatrixXd::Identity(2, 2)));
  EXPECT_TRUE(wide.reachable);
  EXPECT_LT(wide.chi_square, 1e-9);
}

TEST(Prospect, RejectsTargetsThatNoParametersReach) {
  MatrixXd jacobian(2, 1);
  jacobian << 1, 0;
  const MatrixXd noise = 0.5 * MatrixXd::Identity(2, 2);
  EXPECT_FALSE(prospect(linear_model_of(jacobian, Eigen::Vector2d(0.1, 3.4), noise, noise)).reachable);
  EXPECT_TRUE(prospect(linear_model_of(jacobian, Eigen::Vector2d(0.1, 3.2), noise, noise)).reachable);
}

// 4000 trials, of which 4 are rejected by chance on average; more than 16 with probability 1e-5.
TEST(Prospect, RejectsAtTheRateOfItsLevel) {
  Normals normals(3);
  const MatrixXd jacobian = normals.matrix(5, 2);
  const MatrixXd of_targets = some_covariance(normals, 5, 1), of_simulation = some_covariance(normals, 5, 2);
  int rejected = 0;
  for (int trial = 0; trial < 4000; ++trial)
    rejected +=
        !prospect(linear_model_of(jacobian, normals.draw(of_targets + of_simulation), of_targets, of_simulation))
             .reachable;
  EXPECT_LE(rejected, 16);
}

TEST(Prospect, IsStationaryIfTheStepIsSmallComparedWithTheMismatch) {
  MatrixXd jacobian(3, 1);
  jacobian << 1, 0, 0;
  const MatrixXd noise = MatrixXd::Identity(3, 3);
  // Components along the step and across it, with two remaining degrees of freedom.
  const auto at = [&](double along, double across) {
    return prospect(linear_model_of(jacobian, Eigen::Vector3d(along, across, 0), noise, 0 * noise));
  };
  const double offset = 0.02 * 100 / std::sqrt(2.0);
  EXPECT_TRUE(at(0.99 * offset, 100).at_minimum());
  EXPECT_FALSE(at(1.01 * offset, 100).at_minimum());
  EXPECT_FALSE(at(0.2, 1).at_minimum());  // noise explains this mismatch
}

TEST(Prospect, OfInsensitiveStatisticsIsAtTheMinimum) {
  const Prospect found = prospect(
      linear_model_of(MatrixXd::Zero(2, 1), Eigen::Vector2d(9, 0), MatrixXd::Identity(2, 2), MatrixXd::Identity(2, 2)));
  EXPECT_TRUE(found.at_minimum());
  EXPECT_EQ(found.rank, 0);
  EXPECT_FALSE(found.reachable);
}

TEST(Prospect, MeasuresTheEffectOfJacobianErrorsOnTheMinimum) {
  // ∂/∂S of −(SᵀBr)/(SᵀBS) at r = (0, ρ): the minimum moves by se ρ / (S² b) = 0.1 · 2 = 0.2, in units of 1.
  MatrixXd jacobian(2, 1);
  jacobian << 1, 0;
  LinearModel model = linear_model_of(jacobian, Eigen::Vector2d(0, 2), MatrixXd::Identity(2, 2), MatrixXd::Zero(2, 2));
  model.jacobian_error << 0, 0.1;
  EXPECT_NEAR(prospect(model).jacobian_share, 0.2, 1e-9);
}

}  // namespace
}  // namespace gfdt::calibrate

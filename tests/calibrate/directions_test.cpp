#include "gfdt/calibrate/search/directions.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "linear_problems.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Two parameters; one statistic measures their sum, the other their difference with the given sensitivity.
LinearModel sum_and_difference(double of_difference, double jacobian_error, double std = 0.1) {
  MatrixXd jacobian(2, 2);
  jacobian << 1, 1, of_difference, -of_difference;
  LinearModel model =
      linear_model_of(jacobian, Eigen::Vector2d(0.5, 0), std * std * MatrixXd::Identity(2, 2), MatrixXd::Zero(2, 2));
  model.jacobian_error.setConstant(jacobian_error);
  return model;
}

Knowledge of_difference(const LinearModel& model) { return directions_of(model)[1].knowledge; }

TEST(Directions, AreDeterminedIfTheStatisticsAreSensitive) {
  EXPECT_EQ(directions_of(sum_and_difference(1e-6, 0))[0].knowledge, Knowledge::determined);
  EXPECT_EQ(of_difference(sum_and_difference(1, 0)), Knowledge::determined);
  EXPECT_EQ(of_difference(sum_and_difference(1e-3, 0)), Knowledge::undetermined);
  EXPECT_EQ(of_difference(sum_and_difference(0, 0)), Knowledge::undetermined);
}

TEST(Directions, AreUnresolvedIfErrorsOfTheJacobianHideThem) {
  EXPECT_EQ(of_difference(sum_and_difference(1e-3, 0.2)), Knowledge::unresolved);
  EXPECT_EQ(of_difference(sum_and_difference(1e-3, 1e-4)), Knowledge::undetermined);
  EXPECT_EQ(of_difference(sum_and_difference(1, 0.2)), Knowledge::determined);
}

TEST(Directions, AreDeterminedIfAStepLowersTheMismatchSignificantly) {
  LinearModel model = sum_and_difference(1e-2, 0);
  EXPECT_EQ(of_difference(model), Knowledge::undetermined);
  model.residual(1) = 0.5;  // five standard deviations that only the difference can explain
  EXPECT_EQ(of_difference(model), Knowledge::determined);
}

TEST(Directions, WithAPriorAreDetermined) {
  LinearModel model = sum_and_difference(0, 0.2);
  model.prior_precision.setConstant(25);
  EXPECT_EQ(of_difference(model), Knowledge::determined);
}

TEST(Directions, DoNotMoveParametersThatAreNotDetermined) {
  const LinearModel model = sum_and_difference(1e-7, 0);
  const Step step = solve_step(model, directions_of(model), 0, std::numeric_limits<double>::infinity());
  EXPECT_NEAR(step.change(0), -0.25, 1e-9);
  EXPECT_NEAR(step.change(1), -0.25, 1e-9);
  EXPECT_FALSE(step.restricted);
}

TEST(Directions, OfAWellDeterminedProblemGiveTheGaussNewtonStep) {
  Normals normals(5);
  const LinearModel model = linear_model_of(normals.matrix(5, 3), normals.vector(5), some_covariance(normals, 5, 1e-3),
                                            some_covariance(normals, 5, 1e-3));
  const VectorXd exact = solve_step(model, 0).change;
  EXPECT_LT((solve_step(model, directions_of(model), 0, std::numeric_limits<double>::infinity()).change - exact).norm(),
            1e-10 * exact.norm());
  // Within a trust region, the statistics and the parameters move no further than its radius.
  const Step cut = solve_step(model, directions_of(model), 0, 0.05);
  EXPECT_TRUE(cut.restricted);
  const double moved = std::sqrt((model.jacobian * cut.change).squaredNorm() + 0.25 * cut.change.squaredNorm());
  EXPECT_NEAR(moved, 0.05, 1e-9);
  EXPECT_GT(model.predicted_decrease(cut.change), 0);
}

TEST(Directions, DampStepsByTheErrorsOfTheJacobian) {
  LinearModel model = sum_and_difference(1, 0);
  const double full = directions_of(model)[0].step();
  model.jacobian_error.setConstant(0.5);
  const Direction noisy = directions_of(model)[0];
  EXPECT_NEAR(noisy.step() / full, 1 / (1 + 0.25), 1e-9);  // λ/(λ + Σ se²) with equal contributions of both columns
  EXPECT_NEAR(noisy.remaining(), std::abs(full) / noisy.posterior_error, 1e-9);
}

TEST(ParameterScale, IsTheSizeOfTheParameterOrTheChangeThatMovesTheStatistics) {
  LinearModel model =
      linear_model_of(MatrixXd::Identity(3, 3), VectorXd::Zero(3), MatrixXd::Identity(3, 3), MatrixXd::Zero(3, 3));
  model.magnitude << 0.1, 1e-3, 5;  // a unit change of each moves its statistic by one standard deviation
  EXPECT_LT((parameter_scale(model) - Eigen::Vector3d(1, 0.03, 5)).norm(), 1e-12);
  model.bounded[2] = true;
  model.magnitude(0) = 0;
  EXPECT_LT((parameter_scale(model) - Eigen::Vector3d(1, 0.03, 1)).norm(), 1e-12);
}

}  // namespace
}  // namespace gfdt::calibrate

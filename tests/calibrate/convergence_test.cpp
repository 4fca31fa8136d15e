#include "gfdt/calibrate/convergence.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "gfdt/calibrate/step.hpp"
#include "linear_problems.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double confidence = 0.95;

// How often noise alone is taken for what it is, at the true parameters.
struct Shares {
  double insignificant = 0;  ///< of steps that are the noise of two runs
  double within_noise = 0;
  double reachable = 0;
};

Shares shares(Eigen::Index targets, Eigen::Index parameters, int freedom, int trials, Weighting weights) {
  Normals normals(3);
  const MatrixXd jacobian = normals.matrix(targets, parameters);
  const MatrixXd of_targets = some_covariance(normals, targets, 1),
                 of_simulation = some_covariance(normals, targets, 2);
  Shares result;
  for (int trial = 0; trial < trials; ++trial) {
    const MatrixXd estimate = freedom > 0 ? normals.estimate(of_simulation, freedom) : of_simulation;
    LinearModel model = linear_model_of(jacobian, normals.draw(of_targets + of_simulation), of_targets, estimate);
    if (freedom > 0) {
      model.simulation_freedom = freedom;
      model.noise_freedom = freedom / std::pow((estimate.diagonal().cwiseQuotient(model.noise.diagonal())).mean(), 2);
    }
    if (weights == Weighting::variance) {
      model.weights = VectorXd::LinSpaced(targets, 1, 4).asDiagonal();
      model.weighted_by_noise = false;
    }
    const Prospect found = prospect(model, confidence);
    result.within_noise += found.within_noise / static_cast<double>(trials);
    result.reachable += found.reachable / static_cast<double>(trials);
    EXPECT_EQ(found.degrees_of_freedom, static_cast<double>(targets - parameters));
    model.residual = normals.draw(2 * of_simulation);
    result.insignificant += prospect(model, confidence).insignificant / static_cast<double>(trials);
  }
  return result;
}

// 4000 trials: 4 standard deviations of a share of 0.95 are 0.0138 (a false alarm in 6e-5 of all seeds); at most 16 of
// 4000 are unreachable by chance where 4 are expected (1e-5).
TEST(Prospect, HasTheErrorRatesOfChiSquare) {
  for (const Weighting weights : {Weighting::noise, Weighting::variance}) {
    const Shares found = shares(5, 2, 0, 4000, weights);
    EXPECT_NEAR(found.within_noise, 0.95, 0.0138);
    EXPECT_GE(found.reachable, 1 - 16 / 4000.0);
    EXPECT_NEAR(found.insignificant, 0.95, 0.0138);
  }
}

TEST(Prospect, AllowsForFewDegreesOfFreedom) {
  const Shares found = shares(5, 2, 19, 4000, Weighting::variance);
  EXPECT_NEAR(found.insignificant, 0.95, 0.0138);
  EXPECT_NEAR(found.within_noise, 0.95, 0.0138);
  EXPECT_GE(found.reachable, 1 - 16 / 4000.0);
}

// 2000 trials, of which 2 are unreachable by chance; more than 10 in 1e-5 of all seeds.
TEST(Prospect, CallsLittleUnreachableWhereLittleIsKnownOfTheNoise) {
  const Shares found = shares(6, 2, 7, 2000, Weighting::variance);
  EXPECT_GE(found.reachable, 1 - 10 / 2000.0);
  EXPECT_NEAR(found.insignificant, 0.95, 0.0195);
}

LinearModel one_parameter(double residual, double target_variance, double simulation_variance) {
  return linear_model_of(MatrixXd::Ones(1, 1), VectorXd::Constant(1, residual),
                         MatrixXd::Constant(1, 1, target_variance), MatrixXd::Constant(1, 1, simulation_variance));
}

TEST(Prospect, MeasuresTheStepByTheNoiseOfTheSimulationAndByThatOfTheAnswer) {
  const Prospect found = prospect(one_parameter(2, 3, 1), confidence);
  EXPECT_DOUBLE_EQ(found.step(0), -2);
  EXPECT_NEAR(found.relevance, 1, 1e-12);                  // 2²/4
  EXPECT_NEAR(found.significance, 4 / (1 + 4e-4), 1e-12);  // 2²/1, with the floor of 10⁻⁴ · 4
  EXPECT_TRUE(found.insignificant);                        // 4 < 2 · 3.84
  EXPECT_TRUE(found.within_noise);
  EXPECT_FALSE(found.irrelevant);
  EXPECT_FALSE(prospect(one_parameter(2.8, 3, 1), confidence).insignificant);
  EXPECT_TRUE(prospect(one_parameter(0.39, 3.9, 0.1), confidence).irrelevant);
  EXPECT_FALSE(prospect(one_parameter(4, 3, 1), confidence).within_noise);
}

TEST(Prospect, OfASimulationWithoutNoiseIsJudgedByTheTargets) {
  const Prospect far = prospect(one_parameter(1, 0.01, 0), confidence);
  EXPECT_FALSE(far.insignificant);
  EXPECT_FALSE(far.nothing_to_gain(false));
  EXPECT_TRUE(prospect(one_parameter(0.01, 0.01, 0), confidence).nothing_to_gain(false));
}

TEST(Prospect, CountsPriorsAmongWhatTheStepIsMeasuredBy) {
  // Nothing moves the statistic; the prior is 5 of its standard deviations away: there is something to gain.
  LinearModel model = one_parameter(0.1, 1, 1);
  model.jacobian.setZero();
  model.prior_precision << 4;
  model.prior_offset << 2.5;
  const Prospect found = prospect(model, confidence);
  EXPECT_NEAR(found.step(0), -2.5, 1e-9);
  EXPECT_NEAR(found.relevance, 25, 1e-6);
  EXPECT_FALSE(found.nothing_to_gain(false));
  // A prior that dominates: P = 1/(1/2 + 100), and what is left is a statistic beyond it.
  model.jacobian.setOnes();
  model.prior_precision << 100;
  model.prior_offset << 0;
  model.residual << 7;
  const Prospect held = prospect(model, confidence);
  EXPECT_NEAR(held.step(0), -3.5 / 100.5, 1e-9);
  EXPECT_NEAR(held.relevance, std::pow(3.5, 2) / 100.5, 1e-6);
  EXPECT_EQ(held.degrees_of_freedom, 1);
  EXPECT_NEAR(held.remaining, 49 / (2 + 0.01), 1e-6);
  EXPECT_FALSE(held.reachable);
}

TEST(Prospect, CountsWhatIsDetermined) {
  Normals normals(4);
  MatrixXd jacobian = normals.matrix(4, 3);
  jacobian.col(2).setZero();
  const MatrixXd noise = MatrixXd::Identity(4, 4);
  const LinearModel model = linear_model_of(jacobian, normals.vector(4), 0.5 * noise, 0.5 * noise);
  const Prospect found = prospect(model, confidence);
  EXPECT_EQ(found.degrees_of_freedom, 2);
  const LinearModel without = linear_model_of(jacobian.leftCols(2), model.residual, 0.5 * noise, 0.5 * noise);
  EXPECT_NEAR(found.significance, prospect(without, confidence).significance, 1e-9);
  // More parameters than targets: everything is reachable.
  const Prospect wide = prospect(linear_model_of(normals.matrix(2, 3), 100 * normals.vector(2),
                                                 MatrixXd::Identity(2, 2), MatrixXd::Identity(2, 2)),
                                 confidence);
  EXPECT_TRUE(wide.reachable);
  EXPECT_LT(wide.remaining, 1e-12);
  EXPECT_FALSE(wide.insignificant);
}

TEST(Prospect, SaysWhatNoParametersReach) {
  MatrixXd jacobian(2, 1);
  jacobian << 1, 0;
  const MatrixXd noise = 0.5 * MatrixXd::Identity(2, 2);
  EXPECT_FALSE(prospect(linear_model_of(jacobian, Eigen::Vector2d(0.1, 3.4), noise, noise), confidence).reachable);
  EXPECT_TRUE(prospect(linear_model_of(jacobian, Eigen::Vector2d(0.1, 3.2), noise, noise), confidence).reachable);
  // With weights that hardly see the second statistic the first may still be met.
  LinearModel other = linear_model_of(jacobian, Eigen::Vector2d(9, 0), noise, noise);
  jacobian << 1, 0.5;
  other.jacobian = jacobian;
  other.weights = Eigen::Vector2d(1, 100).asDiagonal();
  EXPECT_NEAR(prospect(other, confidence).remaining, 81 * 0.25 / 1.25, 1e-9);
}

TEST(Prospect, IsStationaryWhereTheStepIsNothingBesideWhatIsLeft) {
  MatrixXd jacobian(3, 1);
  jacobian << 1, 0, 0;
  const MatrixXd noise = MatrixXd::Identity(3, 3);
  // Along the step and across it; two degrees of freedom are left.
  const auto at = [&](double along, double across) {
    return prospect(linear_model_of(jacobian, Eigen::Vector3d(along, across, 0), noise, 0 * noise), confidence);
  };
  const double offset = 0.02 * 100 / std::sqrt(2.0);
  EXPECT_TRUE(at(0.99 * offset, 100).stationary);
  EXPECT_FALSE(at(1.01 * offset, 100).stationary);
  for (const bool restricted : {false, true}) {
    EXPECT_TRUE(at(0.99 * offset, 100).nothing_to_gain(restricted));
    EXPECT_FALSE(at(0.25 * 100, 100).nothing_to_gain(restricted));
  }
  EXPECT_FALSE(at(0.99 * offset, 100).irrelevant);
  EXPECT_FALSE(at(0.99 * offset, 100).insignificant);
  EXPECT_FALSE(at(0.01, 1).stationary);  // noise leaves as much
}

TEST(Prospect, OfNoMovementAtAllHasNothingToGain) {
  const LinearModel model =
      linear_model_of(MatrixXd::Zero(2, 1), Eigen::Vector2d(9, 0), MatrixXd::Identity(2, 2), MatrixXd::Identity(2, 2));
  const Prospect found = prospect(model, confidence);
  EXPECT_TRUE(found.nothing_to_gain(false));
  EXPECT_FALSE(found.reachable);
}

// A column that is all noise fits one degree of freedom of noise, no more.
TEST(Prospect, IsNotFooledByAJacobianOfNoise) {
  Normals normals(6);
  int unreachable = 0, beyond = 0;
  constexpr int trials = 4000;
  const MatrixXd noise = 0.5 * MatrixXd::Identity(4, 4);
  for (int trial = 0; trial < trials; ++trial) {
    const Prospect found =
        prospect(linear_model_of(1e-3 * normals.matrix(4, 2), normals.vector(4), noise, noise), confidence);
    unreachable += !found.reachable;
    beyond += !found.within_noise;
  }
  EXPECT_LE(unreachable, 16);
  EXPECT_NEAR(beyond / double{trials}, 0.05, 0.0138);
}

}  // namespace
}  // namespace gfdt::calibrate

#include "gfdt/calibrate/search/linear_model.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/calibrate/targets/weights.hpp"
#include "linear_problems.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Two statistics of three parameters: unbounded, above 1, and between 0 and 4.
Problem three_parameters() {
  Problem problem;
  problem.parameters = {{.name = "a", .value = 2, .prior = Prior{1.5, 0.25}},
                        {.name = "b", .value = 3, .lower = 1, .prior = Prior{2, 0.5}},
                        {.name = "c", .value = 1, .lower = 0, .upper = 4}};
  problem.targets = {{"p", "q"}, {1, 2}, {0.04, 0.01, 0.01, 0.09}};
  problem.length = 1;
  return problem;
}

Evaluation evaluation_at(const std::vector<double>& parameters) {
  const double a = parameters[0], b = parameters[1], c = parameters[2];
  Evaluation evaluation;
  evaluation.statistics.resize(2);
  evaluation.statistics[0].mean = a * b;
  evaluation.statistics[0].standard_deviation = 2;
  evaluation.statistics[0].degrees_of_freedom = 30;
  evaluation.statistics[1].mean = b * b + c;
  evaluation.statistics[1].standard_deviation = 0.5;
  evaluation.statistics[1].degrees_of_freedom = 20;
  evaluation.mean_covariance = {0.01, 0, 0, 0.01};
  evaluation.observable_covariance = {4, 0.5, 0.5, 0.25};
  evaluation.jacobian = {b, a, 0, 0, 2 * b, 1};
  evaluation.jacobian_error = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  return evaluation;
}

LinearModel model_at(const Problem& problem, const std::vector<double>& at, const Options& options = {}) {
  const Evaluation evaluation = evaluation_at(at);
  return linear_model(problem, at, evaluation, mismatch(evaluation, problem.targets), options);
}

// Compares Φ of the true map at η + δ with the quadratic model: the gradients agree, including priors on the natural
// scale.
TEST(LinearModel, HasTheGradientOfTheObjectiveInTheCoordinatesOfTheSteps) {
  const Problem problem = three_parameters();
  const std::vector<double> at{2, 3, 1};
  const LinearModel model = model_at(problem, at);
  const auto objective_at = [&](std::size_t j, double change) {
    std::vector<double> moved = at;
    moved[j] = problem.parameters[j].natural(problem.parameters[j].coordinate(at[j]) + change);
    return objective(problem, moved, mismatch(evaluation_at(moved), problem.targets), model.weights);
  };
  const VectorXd gradient = model.gradient();
  for (std::size_t j = 0; j < 3; ++j) {
    const double h = 1e-5, difference = (objective_at(j, h) - objective_at(j, -h)) / (2 * h);
    EXPECT_NEAR(gradient(static_cast<Eigen::Index>(j)), difference, 1e-6 * std::abs(difference)) << j;
  }
  EXPECT_DOUBLE_EQ(objective_at(0, 0),
                   objective(problem, at, mismatch(evaluation_at(at), problem.targets), model.weights));
}

TEST(LinearModel, CountsPriorsOnTheNaturalScale) {
  const LinearModel model = model_at(three_parameters(), {2, 3, 1});
  // Slopes dθ/dη: 1, b − 1 = 2, c (4 − c)/4 = 3/4.
  EXPECT_EQ(model.slope, Eigen::Vector3d(1, 2, 0.75));
  EXPECT_EQ(model.prior_precision, Eigen::Vector3d(16, 16, 0));
  EXPECT_EQ(model.prior_offset, Eigen::Vector3d(0.5, 0.5, 0));
  EXPECT_EQ(model.jacobian, (MatrixXd(2, 3) << 3, 4, 0, 0, 12, 0.75).finished());
  EXPECT_TRUE(model.jacobian_error.isApprox((MatrixXd(2, 3) << 0.1, 0.4, 0.225, 0.4, 1, 0.45).finished()));
  // The share of the simulation in the noise is 0.01/0.05 and 0.01/0.1, 15 % on average; it has 20 degrees of freedom.
  EXPECT_NEAR(model.noise_freedom, 20 / (0.15 * 0.15), 1e-9);
  EXPECT_EQ(model.simulation_freedom, 20);
}

TEST(LinearModel, PredictsTheDecreaseOfALinearProblemExactly) {
  Normals normals(1);
  LinearModel model = linear_model_of(normals.matrix(4, 2), normals.vector(4), some_covariance(normals, 4, 1),
                                      some_covariance(normals, 4, 1));
  model.prior_precision << 2, 0;
  model.prior_offset << -1, 0;
  const auto phi = [&](const VectorXd& step) {
    const VectorXd r = model.residual + model.jacobian * step, o = step + model.prior_offset;
    return 0.5 * r.dot(model.weights * r) + 0.5 * o.dot(model.prior_precision.cwiseProduct(o));
  };
  const Eigen::Vector2d step(0.3, -2);
  EXPECT_NEAR(model.predicted_decrease(step), phi(Eigen::Vector2d::Zero()) - phi(step), 1e-12);
}

TEST(Weights, AreFromTheNoiseTheCovarianceOrTheVariances) {
  const Problem problem = three_parameters();
  const Evaluation evaluation = evaluation_at({2, 3, 1});
  const Mismatch found = mismatch(evaluation, problem.targets);
  Options options;
  const MatrixXd noise = (MatrixXd(2, 2) << 0.05, 0.01, 0.01, 0.1).finished();
  EXPECT_TRUE(weight_matrix(evaluation, found, options).isApprox(noise.inverse(), 1e-12));
  options.weights = Weighting::covariance;
  options.ridge = 0.75;
  const MatrixXd covariance = (MatrixXd(2, 2) << 4.75, 0.5, 0.5, 1).finished();
  EXPECT_TRUE(weight_matrix(evaluation, found, options).isApprox(covariance.inverse(), 1e-12));
  options.weights = Weighting::variance;
  EXPECT_TRUE(weight_matrix(evaluation, found, options).isApprox(MatrixXd(Eigen::Vector2d(0.25, 4).asDiagonal())));
}

TEST(Weights, OfNoiseIgnorePoorlyKnownCorrelations) {
  Evaluation evaluation = evaluation_at({2, 3, 1});
  Mismatch found = mismatch(evaluation, three_parameters().targets);
  found.degrees_of_freedom = 3.9;
  EXPECT_TRUE(weight_matrix(evaluation, found, {}).isApprox(MatrixXd(Eigen::Vector2d(20, 10).asDiagonal())));
  found.degrees_of_freedom = 4;
  EXPECT_NE(weight_matrix(evaluation, found, {})(0, 1), 0);
}

TEST(Weights, OfAMissingCovarianceAreRejected) {
  Evaluation evaluation = evaluation_at({2, 3, 1});
  evaluation.observable_covariance.clear();
  Options options;
  options.weights = Weighting::covariance;
  EXPECT_THROW(weight_matrix(evaluation, mismatch(evaluation, three_parameters().targets), options), Error);
}

TEST(Weights, OfAnObservableThatDoesNotVaryAreZero) {
  Evaluation evaluation = evaluation_at({2, 3, 1});
  evaluation.statistics[0].standard_deviation = 0;
  Options options;
  options.weights = Weighting::variance;
  EXPECT_EQ(weight_matrix(evaluation, mismatch(evaluation, three_parameters().targets), options)(0, 0), 0);
}

TEST(PseudoInverse, IgnoresTheNullSpaceInAnyUnits) {
  Normals normals(2);
  const MatrixXd whole = some_covariance(normals, 3, 1);
  EXPECT_TRUE(pseudo_inverse(whole).isApprox(whole.inverse(), 1e-10));
  const Eigen::Vector3d units(1e-9, 1, 1e9);
  const MatrixXd scaled = units.asDiagonal() * whole * units.asDiagonal();
  const MatrixXd expected = units.cwiseInverse().asDiagonal() * whole.inverse() * units.cwiseInverse().asDiagonal();
  EXPECT_TRUE((units.asDiagonal() * pseudo_inverse(scaled) * units.asDiagonal())
                  .isApprox(units.asDiagonal() * expected * units.asDiagonal(), 1e-9));
  const MatrixXd column = normals.matrix(3, 1), single = column * column.transpose();
  EXPECT_TRUE((single * pseudo_inverse(single) * single).isApprox(single, 1e-10));
  EXPECT_EQ(rank_of(single), 1);
  EXPECT_EQ(rank_of(scaled), 3);
  EXPECT_EQ(rank_of(MatrixXd::Zero(2, 2)), 0);
  EXPECT_EQ(pseudo_inverse(MatrixXd::Zero(2, 2)), MatrixXd::Zero(2, 2));
}

TEST(Flaw, IsReportedForMissingOrNonFiniteNumbers) {
  const Evaluation sound = evaluation_at({2, 3, 1});
  using Purpose = Request::Purpose;
  EXPECT_EQ(flaw(sound, Purpose::jacobian, 2, 3), "");
  EXPECT_NE(flaw(sound, Purpose::jacobian, 2, 2), "");
  EXPECT_NE(flaw(sound, Purpose::statistics, 3, 3), "");
  const auto spoiled = [&](auto spoil) {
    Evaluation evaluation = sound;
    spoil(evaluation);
    return evaluation;
  };
  const double nan = std::nan("");
  EXPECT_NE(flaw(spoiled([&](Evaluation& e) { e.statistics[1].mean = nan; }), Purpose::statistics, 2, 3), "");
  EXPECT_NE(flaw(spoiled([&](Evaluation& e) { e.mean_covariance[1] = INFINITY; }), Purpose::statistics, 2, 3), "");
  const Evaluation no_derivative = spoiled([&](Evaluation& e) { e.jacobian[4] = nan; });
  EXPECT_NE(flaw(no_derivative, Purpose::jacobian, 2, 3), "");
  EXPECT_EQ(flaw(no_derivative, Purpose::statistics, 2, 3), "");
  EXPECT_NE(flaw(spoiled([&](Evaluation& e) { e.jacobian_error[4] = nan; }), Purpose::jacobian, 2, 3), "");
  EXPECT_EQ(flaw({}, Purpose::stability, 2, 3), "");
}

}  // namespace
}  // namespace gfdt::calibrate

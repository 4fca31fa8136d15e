#include "gfdt/calibrate/posterior/posterior.hpp"

#include <gmock/gmock.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "gfdt/calibrate/posterior/identifiability.hpp"
#include "gfdt/calibrate/posterior/posterior_of.hpp"
#include "gfdt/calibrate/search/freedom.hpp"
#include "gfdt/calibrate/search/step.hpp"
#include "gfdt/calibrate/targets/weights.hpp"
#include "linear_problems.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using ::testing::HasSubstr;

Problem problem_of(Index parameters, Index targets) {
  Problem problem;
  for (Index j = 0; j < parameters; ++j)
    problem.parameters.push_back({.name = std::string(1, static_cast<char>('a' + j)), .value = 1});
  problem.targets.value.resize(static_cast<std::size_t>(targets));
  return problem;
}

std::vector<double> ones(Index size) { return std::vector<double>(static_cast<std::size_t>(size), 1.0); }

MatrixXd covariance_of(const Posterior& posterior) {
  return matrix_of(posterior.covariance, posterior.standard_error.size());
}

Posterior after_full_step(const LinearModel& model) {
  return posterior_of(problem_of(model.parameters(), model.targets()), ones(model.parameters()), model,
                      solve_step(model, 0).change, true);
}

LinearModel some_model(std::uint64_t seed, Index targets, Index parameters) {
  Normals normals(seed);
  const MatrixXd jacobian = normals.matrix(targets, parameters);
  return linear_model_of(jacobian, normals.vector(targets), some_covariance(normals, targets, 0.01),
                         some_covariance(normals, targets, 0.02));
}

TEST(Posterior, OfALinearProblemIsExact) {
  LinearModel model = some_model(1, 4, 2);
  MatrixXd information = model.jacobian.transpose() * model.noise.inverse() * model.jacobian;
  const Posterior flat = after_full_step(model);
  EXPECT_TRUE(covariance_of(flat).isApprox(information.inverse(), 1e-9));
  EXPECT_TRUE(matrix_of(flat.precision, 2).isApprox(information, 1e-9));
  EXPECT_NEAR(flat.standard_error[1], std::sqrt(information.inverse()(1, 1)), 1e-12);
  EXPECT_NEAR(flat.correlation[1], information.inverse()(0, 1) / (flat.standard_error[0] * flat.standard_error[1]),
              1e-9);
  EXPECT_TRUE(std::isinf(flat.degrees_of_freedom));

  model.prior_precision << 300, 20;
  information.diagonal() += model.prior_precision;
  EXPECT_TRUE(covariance_of(after_full_step(model)).isApprox(information.inverse(), 1e-9));

  // With other weights: H N Hᵀ + A⁻¹ΠA⁻¹.
  model.weights = Eigen::Vector4d(1, 2, 3, 4).asDiagonal();
  model.weighted_by_noise = false;
  const MatrixXd inverse = model.information().inverse(), gain = inverse * model.jacobian.transpose() * model.weights,
                 expected =
                     gain * model.noise * gain.transpose() + inverse * model.prior_precision.asDiagonal() * inverse;
  EXPECT_TRUE(covariance_of(after_full_step(model)).isApprox(expected, 1e-9));
}

TEST(Posterior, IsOnTheNaturalScale) {
  LinearModel model = some_model(2, 4, 2);
  const MatrixXd in_steps = covariance_of(after_full_step(model));
  model.slope << 0.5, -3;
  const MatrixXd natural = model.slope.asDiagonal() * in_steps * model.slope.asDiagonal();
  const Posterior found = after_full_step(model);
  EXPECT_TRUE(covariance_of(found).isApprox(natural, 1e-9));
  EXPECT_TRUE(matrix_of(found.precision, 2).isApprox(natural.inverse(), 1e-9));
}

TEST(Posterior, IncludesTheErrorOfTheJacobian) {
  LinearModel model = some_model(3, 2, 2);
  model.jacobian_error << 0.01, 0.02, 0.03, 0.04;
  const VectorXd step = solve_step(model, 0).change;
  const MatrixXd gain = -model.jacobian.inverse(), plain = gain * model.noise * gain.transpose();
  const VectorXd of_errors = model.jacobian_error.cwiseAbs2() * (step.cwiseAbs2() + plain.diagonal());
  const MatrixXd expected = plain + gain * of_errors.asDiagonal() * gain.transpose();
  EXPECT_TRUE(covariance_of(after_full_step(model)).isApprox(expected, 1e-9));
  EXPECT_GT(expected(0, 0), 1.0005 * plain(0, 0));
}

// One parameter, two statistics with variance 1: θ = (S·y)/(S·S), with ∂θ/∂S = y at S = (1, 0), y = (0, ρ).
TEST(Posterior, IncludesTheErrorOfTheGradient) {
  MatrixXd jacobian(2, 1);
  jacobian << 10, 0;
  LinearModel model = linear_model_of(jacobian, Eigen::Vector2d(0, 3), MatrixXd::Identity(2, 2), MatrixXd::Zero(2, 2));
  model.jacobian_error << 0, 0.2;
  const double variance = covariance_of(after_full_step(model))(0, 0);
  EXPECT_NEAR(variance, 0.01 + std::pow(0.2 * 3 / 100, 2), 1e-6);
}

TEST(Posterior, IncludesAStepThatWasNotTaken) {
  const LinearModel model = some_model(4, 3, 2);
  const VectorXd left = Eigen::Vector2d(0.3, -0.2);
  const Problem problem = problem_of(2, 3);
  const Posterior found = posterior_of(problem, ones(2), model, left, false);
  const MatrixXd expected = model.information().inverse() + left * left.transpose();
  EXPECT_TRUE(covariance_of(found).isApprox(expected, 1e-9));
  EXPECT_TRUE(matrix_of(found.precision, 2).isApprox(expected.inverse(), 1e-9));
}

TEST(Posterior, OfAnUndeterminedParameterIsInfinite) {
  LinearModel model = some_model(5, 4, 3);
  model.jacobian.col(1).setZero();
  const Posterior found = after_full_step(model);
  EXPECT_TRUE(std::isinf(found.standard_error[1]));
  EXPECT_TRUE(std::isfinite(found.standard_error[0]));
  EXPECT_TRUE(std::isfinite(found.standard_error[2]));
  EXPECT_EQ(found.correlation[1], 0);
  EXPECT_TRUE(found.holds({1, 1e9, 1}, {1, 1, 1}, 0.95));
  EXPECT_FALSE(found.holds({1e9, 1, 1}, {1, 1, 1}, 0.95));
  EXPECT_EQ(found.singular_values.size(), 3U);
  EXPECT_EQ(found.singular_values[2], 0);
  ASSERT_EQ(found.weak.size(), 1U);
  EXPECT_THAT(found.weak[0].words, HasSubstr("b is not determined by these statistics"));
  for (const double value : found.precision) EXPECT_TRUE(std::isfinite(value));
  // With a prior it is determined.
  model.prior_precision << 0, 4, 0;
  EXPECT_NEAR(after_full_step(model).standard_error[1], 0.5, 1e-9);
}

TEST(Posterior, OfFewerTargetsThanParametersConstrainsOnlyACombination) {
  LinearModel model = some_model(6, 1, 2);
  model.jacobian << 2, 2;
  model.noise.setConstant(4e-4);
  model.simulation_noise.setConstant(2e-4);
  model.weights = pseudo_inverse(model.noise);
  const Posterior found = after_full_step(model);
  EXPECT_TRUE(std::isinf(found.standard_error[0]) && std::isinf(found.standard_error[1]));
  // a + b is known to 0.01, with one degree of freedom: ±0.0196.
  EXPECT_TRUE(found.holds({1 + 5.019, 1 - 5}, {1, 1}, 0.95));
  EXPECT_FALSE(found.holds({1 + 5.02, 1 - 5}, {1, 1}, 0.95));
  ASSERT_EQ(found.weak.size(), 1U);
  EXPECT_THAT(found.weak[0].words, HasSubstr("a and b are not separately identifiable from these statistics"));
  EXPECT_NEAR(found.weak[0].components[0], -found.weak[0].components[1], 1e-9);
}

TEST(Identifiability, NamesWeaklyConstrainedParameters) {
  LinearModel model = some_model(7, 3, 3);
  model.jacobian << 1, 1, 0, 1, 1.001, 0, 0, 0, 1;
  model.noise = 1e-4 * MatrixXd::Identity(3, 3);
  model.weights = pseudo_inverse(model.noise);
  const Identifiability found = identifiability(problem_of(3, 3), {1, 1, 1}, model);
  // Along (1, −1)/√2 the second statistic changes by 7e-4, with an error of 0.01: known to about 2000 %.
  ASSERT_EQ(found.weak.size(), 1U);
  EXPECT_NEAR(found.weak[0].relative_error, 20, 1);
  EXPECT_THAT(found.weak[0].words, HasSubstr("a and b are constrained mainly in combination"));
  EXPECT_THAT(found.weak[0].words, HasSubstr("known to ±20 only"));
  EXPECT_NEAR(found.singular_values[0], 200, 0.2);
  EXPECT_NEAR(found.singular_values[1], 100, 1e-6);
}

TEST(Identifiability, CountsPriorsForAnyErrorsOfTheJacobian) {
  LinearModel model = some_model(8, 2, 1);
  model.jacobian << 0.01, 0.01;
  model.jacobian_error << 1, 1;
  model.prior_precision << 100;
  EXPECT_TRUE(identifiability(problem_of(1, 2), {1}, model).weak.empty());
  model.prior_precision << 0;
  model.jacobian << 10, 10;
  EXPECT_TRUE(identifiability(problem_of(1, 2), {1}, model).weak.empty());
  model.jacobian << 0.5, 0.5;  // smaller than its error
  ASSERT_EQ(identifiability(problem_of(1, 2), {1}, model).weak.size(), 1U);
}

TEST(Identifiability, OfAParameterThatIsZeroIsFiniteAndNamed) {
  const LinearModel model = some_model(9, 3, 2);
  for (const double value : identifiability(problem_of(2, 3), {0, 1}, model).singular_values)
    EXPECT_TRUE(std::isfinite(value));
}

/// The noise of targets and simulation, with the degrees of freedom of their estimated covariances; 0: exactly known.
struct Noise {
  double of_targets, of_simulation;
  int targets_freedom, simulation_freedom;
};

double coverage(Index targets, Index parameters, const Noise& noise, int trials) {
  Normals normals(11);
  const MatrixXd jacobian = normals.matrix(targets, parameters);
  const MatrixXd t = some_covariance(normals, targets, noise.of_targets),
                 s = some_covariance(normals, targets, noise.of_simulation);
  Problem problem = problem_of(parameters, targets);
  int held = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const MatrixXd t_seen = noise.targets_freedom ? normals.estimate(t, noise.targets_freedom) : t;
    const MatrixXd s_seen = noise.simulation_freedom ? normals.estimate(s, noise.simulation_freedom) : s;
    const VectorXd start = normals.vector(parameters);  // the true value is 0
    LinearModel model = linear_model_of(jacobian, jacobian * start + normals.draw(s) - normals.draw(t), t_seen, s_seen);
    if (noise.targets_freedom) problem.targets.degrees_of_freedom = noise.targets_freedom;
    if (noise.simulation_freedom) model.simulation_freedom = noise.simulation_freedom;
    model.noise_freedom = combined_freedom(s_seen.diagonal(), model.simulation_freedom, model.noise.diagonal(),
                                           problem.targets.degrees_of_freedom);
    model.weights = noise_weights(model.noise, model.noise_freedom);
    const VectorXd step = solve_step(model, 0).change, answer = start + step;
    const Posterior found = posterior_of(problem, values_of(start), model, step, true);
    held += found.holds(std::vector<double>(static_cast<std::size_t>(parameters), 0.0), values_of(answer), 0.95);
  }
  return held / static_cast<double>(trials);
}

// 2000 trials: 4 standard deviations of the share are 0.0195, a false-alarm rate of 6e-5. If two estimates are added,
// or if correlations are ignored, the rules are approximate: 0.02 more.
TEST(Posterior, ContainsTheTruthAtTheNominalRate) {
  EXPECT_NEAR(coverage(4, 2, {1, 1, 0, 0}, 2000), 0.95, 0.0195);
  EXPECT_NEAR(coverage(2, 2, {1e-6, 1, 0, 19}, 2000), 0.95, 0.0195);
  EXPECT_NEAR(coverage(5, 2, {1e-6, 1, 0, 19}, 2000), 0.95, 0.0195);  // the weights are estimated, too
  EXPECT_NEAR(coverage(5, 2, {1, 1e-6, 19, 0}, 2000), 0.95, 0.0195);
  EXPECT_NEAR(coverage(6, 1, {1e-6, 1, 0, 11}, 2000), 0.95, 0.0195);
  EXPECT_NEAR(coverage(4, 2, {1, 1, 19, 31}, 2000), 0.95, 0.0395);
  EXPECT_NEAR(coverage(12, 3, {1e-6, 1, 0, 7}, 2000), 0.95, 0.0395);  // too few to use correlations in the weights
  EXPECT_NEAR(coverage(5, 2, {1e-6, 1, 0, 7}, 2000), 0.95, 0.0395);
}

}  // namespace
}  // namespace gfdt::calibrate

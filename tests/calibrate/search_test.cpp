// The steps and runs of the search loop, with maps in place of models.
#include <gmock/gmock.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "search_cases.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using ::testing::Contains;
using ::testing::HasSubstr;
using Purpose = Request::Purpose;

/// Flat on both sides of 100: the full step from 103 leads to 90.5, and a full step from there overshoots even further.
VectorXd arc_tangent(const VectorXd& x) { return (x.array() - 100).atan(); }

Case arc_tangent_case(double noise) {
  Case result{problem_with({103}, VectorXd::Zero(1), diagonal(1, 1e-4)), MapEvaluator(arc_tangent, diagonal(1, noise))};
  result.options.trust_radius = 100;
  return result;
}

TEST(Search, RunsGrowLongerUpToTheFullLength) {
  Case c = linear_case();
  const Calibration found = c.run();
  EXPECT_EQ(found.iterations.front().length, 0.125);
  EXPECT_EQ(found.iterations.back().length, 1);
  for (std::size_t i = 1; i < found.iterations.size(); ++i)
    EXPECT_GE(found.iterations[i].length, found.iterations[i - 1].length);
  EXPECT_EQ(c.evaluator.requests.back().purpose, Purpose::statistics);
  EXPECT_EQ(c.evaluator.requests.back().parameters, found.parameters);
  EXPECT_EQ(c.evaluator.requests.back().length, 1);
  Case whole = linear_case();
  whole.options.first_length = 1;
  for (const Iteration& iteration : whole.run().iterations) EXPECT_EQ(iteration.length, 1);
}

TEST(Search, PassesScoresOnAndUsesTheSameRandomNumbers) {
  Case c = linear_case();
  c.run();
  const std::vector<Request> jacobians = asked(c.evaluator, Purpose::jacobian);
  ASSERT_GE(jacobians.size(), 2U);
  for (std::size_t i = 0; i < jacobians.size(); ++i) EXPECT_EQ(jacobians[i].start.size(), i);
  for (const Request& request : jacobians) EXPECT_EQ(request.seed, jacobians[0].seed);
  std::set<std::uint64_t> seeds{jacobians[0].seed};
  EXPECT_FALSE(asked(c.evaluator, Purpose::stability).empty());
  for (const Request& request : asked(c.evaluator, Purpose::stability)) {
    EXPECT_EQ(request.length, 0.05);
    EXPECT_TRUE(seeds.insert(request.seed).second);
  }
}

TEST(Search, ReportsTheCurrentIterateAsAnAnswer) {
  Case c = linear_case();
  std::size_t shown = 0;
  c.run([&](const Calibration& so_far) {
    ++shown;
    EXPECT_EQ(so_far.status, Status::running);
    EXPECT_FALSE(converged(so_far.status));
    const auto last = std::ranges::find_if(so_far.iterations.rbegin(), so_far.iterations.rend(),
                                           [](const Iteration& iteration) { return iteration.accepted; });
    EXPECT_EQ(so_far.parameters, last->parameters);
    EXPECT_EQ(so_far.posterior.standard_error.size(), so_far.parameters.size());
  });
  EXPECT_GE(shown, 1u);
}

TEST(Search, IsReproducibleAndReportsToTheObserver) {
  Case first = linear_case(), second = linear_case();
  std::vector<std::size_t> seen;
  const Calibration found = first.run([&](const Calibration& so_far) { seen.push_back(so_far.iterations.size()); });
  EXPECT_EQ(found.parameters, second.run().parameters);
  EXPECT_EQ(seen.size(), found.iterations.size());
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], i + 1);
  for (const Iteration& iteration : found.iterations) EXPECT_TRUE(iteration.evaluation.scores.empty());
}

TEST(Search, OfACurvedMapStaysWithinBoundsAndConverges) {
  Problem problem = problem_with({5, 0.3}, of_relaxation(Eigen::Vector2d(1, 1)), diagonal(2, 1e-5));
  for (FreeParameter& parameter : problem.parameters) parameter.lower = 0;
  Case c{problem, MapEvaluator(of_relaxation, diagonal(2, 1e-5))};
  const Calibration found = c.run();
  EXPECT_EQ(found.status, Status::simulation_noise) << found.explanation;
  EXPECT_TRUE(found.posterior.holds({1, 1}, found.parameters, 0.9999));
  for (const Request& request : c.evaluator.requests)
    for (const double value : request.parameters) EXPECT_GT(value, 0);
}

TEST(Search, RejectsStepsThatIncreaseTheMismatch) {
  Case c = arc_tangent_case(1e-8);
  const Calibration found = c.run();
  EXPECT_EQ(found.status, Status::within_noise) << found.explanation;
  EXPECT_NEAR(found.parameters[0], 100, 4 * 0.01);
  ASSERT_GE(found.iterations.size(), 3U);
  EXPECT_FALSE(found.iterations[1].accepted);
  EXPECT_THAT(found.iterations[1].remarks, Contains(HasSubstr("The mismatch grew beyond its noise")));
  EXPECT_LT(found.iterations[2].trust_radius, 1);
  // Gauss–Newton steps alternate and grow.
  Case full = arc_tangent_case(1e-8);
  full.options.algorithm = Algorithm::gauss_newton;
  full.options.condition_cap = 1e300;
  full.options.iterations = 4;
  const Calibration lost = full.run();
  EXPECT_FALSE(converged(lost.status));
  EXPECT_GT(std::abs(lost.iterations.back().parameters[0] - 100), 100);
  EXPECT_EQ(lost.parameters, lost.iterations[0].parameters);  // the answer is the best iterate
}

TEST(Search, RequestsNoDerivativesForRejectedSteps) {
  Calibration found[2];
  for (const bool asks : {false, true}) {
    Case c = arc_tangent_case(1e-8);
    c.evaluator.asks = asks;
    found[asks] = c.run();
  }
  ASSERT_EQ(found[1].iterations.size(), found[0].iterations.size());
  EXPECT_EQ(found[1].parameters, found[0].parameters);
  EXPECT_FALSE(found[1].iterations[1].accepted);
  for (std::size_t i = 0; i < found[1].iterations.size(); ++i) {
    const Iteration &with = found[0].iterations[i], &without = found[1].iterations[i];
    EXPECT_EQ(without.accepted, with.accepted);
    EXPECT_EQ(without.remarks, with.remarks);
    EXPECT_EQ(without.mismatch.norm, with.mismatch.norm);
    EXPECT_EQ(without.evaluation.declined, !with.accepted);
    EXPECT_EQ(without.evaluation.jacobian.empty(), !with.accepted);
  }
}

TEST(Search, RejectsStepsWithoutDerivatives) {
  Case c = arc_tangent_case(1e-8);
  c.evaluator.refuses = true;
  const Calibration found = c.run();
  EXPECT_EQ(found.status, Status::small_steps) << found.explanation;
  EXPECT_EQ(found.parameters, found.iterations[0].parameters);
  for (std::size_t i = 1; i < found.iterations.size(); ++i) EXPECT_FALSE(found.iterations[i].accepted);
}

TEST(Search, RepeatsTheIterateInALongerRunAfterARejectedStep) {
  // From 10.1 the full step leads to 15, where the statistic is 25.
  Case c{problem_with({10.1}, VectorXd::Ones(1), diagonal(1, 1e-4)),
         MapEvaluator([](const VectorXd& x) -> VectorXd { return (x.array() - 10).square(); }, diagonal(1, 5e-4))};
  c.options.trust_radius = 100;
  const Calibration found = c.run();
  EXPECT_TRUE(has_answer(found.status)) << found.explanation;
  ASSERT_GE(found.iterations.size(), 3U);
  EXPECT_FALSE(found.iterations[1].accepted);
  EXPECT_GT(found.iterations[1].length, found.iterations[0].length);
  EXPECT_EQ(found.iterations[2].parameters, found.iterations[0].parameters);
  EXPECT_EQ(found.iterations[2].length, found.iterations[1].length);
  EXPECT_TRUE(found.iterations[2].accepted);
}

TEST(Search, HalvesStepsThatLeadToUnstableDynamics) {
  Case c = arc_tangent_case(1e-8);
  c.options.stability_length = 0.1;
  c.evaluator.fails = [](const Request& request) { return request.parameters[0] < 98; };
  const Calibration found = c.run();
  EXPECT_EQ(found.status, Status::within_noise) << found.explanation;
  EXPECT_EQ(found.iterations[0].halvings, 2);  // 90.5, 96.7, 99.9
  EXPECT_TRUE(found.iterations[1].accepted);
  EXPECT_NEAR(found.iterations[1].parameters[0], 103 + found.iterations[0].step[0], 1e-12);
}

TEST(Search, RejectsStepsThatCannotBeEvaluated) {
  for (const bool says_so : {true, false}) {
    Case c{problem_with({103}, VectorXd::Zero(1), diagonal(1, 1e-4)),
           MapEvaluator(
               [says_so](const VectorXd& x) {
                 const bool there = !says_so && x(0) < 98;
                 return there ? VectorXd::Constant(1, std::nan("")).eval() : arc_tangent(x);
               },
               diagonal(1, 1e-8))};
    c.options.trust_radius = 100;
    c.options.stability_length = 0;
    if (says_so) c.evaluator.fails = [](const Request& request) { return request.parameters[0] < 98; };
    const Calibration found = c.run();
    EXPECT_EQ(found.status, Status::within_noise) << found.explanation;
    EXPECT_FALSE(found.iterations[1].accepted);
    EXPECT_THAT(found.iterations[1].remarks, Contains(HasSubstr("could not be evaluated here")));
    EXPECT_TRUE(asked(c.evaluator, Purpose::stability).empty());
    for (const Request& request : c.evaluator.requests) EXPECT_TRUE(std::isfinite(request.parameters[0]));
  }
}

TEST(Search, RepeatsAnUnusableShortRunAtFullLength) {
  Case c = linear_case();
  c.evaluator.fails = [](const Request& request) { return request.purpose == Purpose::jacobian && request.length < 1; };
  const Calibration found = c.run();
  EXPECT_TRUE(has_answer(found.status)) << found.explanation;
  EXPECT_EQ(found.iterations[0].length, 1);
  EXPECT_THAT(found.iterations[0].remarks, Contains(HasSubstr("repeated at full length")));
}

// The paper's settings: Γ, B from variances, full steps, all runs of the same length, 15 iterations without a stopping
// criterion.
TEST(Search, TakesTheStepsOfThePaper) {
  Case c = linear_case(1e-12);
  c.options = {.algorithm = Algorithm::gauss_newton,
               .weights = Weighting::variance,
               .tikhonov = 1e-2,
               .iterations = 15,
               .until_noise = false,
               .first_length = 1};
  const Calibration found = c.run();
  EXPECT_EQ(found.status, Status::iterations);
  EXPECT_EQ(found.iterations.size(), 16U);
  EXPECT_NEAR(found.parameters[0], 2, 1e-5);
  EXPECT_NEAR(found.parameters[1], -1, 1e-5);
  MatrixXd s(3, 2);
  s << 1, 1, 1, -2, 0.5, 0;
  MatrixXd normal = s.transpose() * s;
  normal.diagonal() *= 1.01;
  const VectorXd first = -normal.inverse() * s.transpose() * (s * Eigen::Vector2d(-1, 2));
  EXPECT_NEAR(found.iterations[0].step[0], first(0), 1e-4);
  EXPECT_NEAR(found.iterations[0].step[1], first(1), 1e-4);
}

TEST(Search, ShortensTheFullStepsOfIllConditionedProblems) {
  Case c{problem_with({1, 1}, Eigen::Vector2d(5, -5), diagonal(2, 1e-2)),
         MapEvaluator([](const VectorXd& x) -> VectorXd { return Eigen::Vector2d(x.sum(), x.sum() + 1e-5 * x(0)); },
                      diagonal(2, 1e-12))};
  c.options = {.algorithm = Algorithm::gauss_newton, .iterations = 1, .until_noise = false};
  const Calibration found = c.run();
  EXPECT_GT(found.iterations[0].condition, 1e4);
  EXPECT_NEAR(vector_of(found.iterations[0].step).norm(), 0.05 * std::sqrt(2.0), 1e-9);
}

TEST(Search, NeverPutsAParameterOnItsBound) {
  // The statistic has its minimum at the bound, and the target is below that.
  Problem problem = problem_with({1}, VectorXd::Constant(1, -1), diagonal(1, 1e-6));
  problem.parameters[0].lower = 0;
  problem.parameters[0].upper = 2;
  Case c{problem, MapEvaluator([](const VectorXd& x) -> VectorXd { return x; }, diagonal(1, 1e-8))};
  c.options.iterations = 40;
  const Calibration found = c.run();
  EXPECT_FALSE(converged(found.status)) << name(found.status);
  EXPECT_LT(found.parameters[0], 0.05);
  for (const Request& request : c.evaluator.requests) {
    EXPECT_GT(request.parameters[0], 0);
    EXPECT_LT(request.parameters[0], 2);
  }
}

TEST(Search, RejectsInvalidProblemsAndOptions) {
  Case c = linear_case();
  c.problem.parameters[1].name = "a";
  EXPECT_THROW(calibrate(c.problem, c.options, c.evaluator), Error);
  Case other = linear_case();
  other.options.trust_radius = 0;
  EXPECT_THROW(calibrate(other.problem, other.options, other.evaluator), Error);
}

// More parameters than are factorised, and twelve targets: the priors determine the remaining directions.
TEST(Search, WorksForHundredsOfParameters) {
  constexpr Index parameters = most_factorised + 10, targets = 12;
  Normals normals(12);
  const MatrixXd s = normals.matrix(targets, parameters) / std::sqrt(static_cast<double>(parameters));
  const VectorXd truth = normals.vector(parameters);
  const MatrixXd noise = diagonal(targets, 1e-4);
  Case c{problem_with(std::vector<double>(parameters, 0.0), s * truth, noise),
         MapEvaluator([s](const VectorXd& x) -> VectorXd { return s * x; }, noise)};
  for (FreeParameter& parameter : c.problem.parameters) parameter.prior = Prior{0, 1};
  for (Index j = 0; j < parameters; ++j)
    c.problem.parameters[static_cast<std::size_t>(j)].name = "p" + std::to_string(j);
  const Calibration found = c.run();
  EXPECT_EQ(found.status, Status::within_noise) << found.explanation;
  EXPECT_LT((s * (vector_of(found.parameters) - truth)).norm(), 5 * 0.01 * std::sqrt(2.0 * targets));
  EXPECT_TRUE(found.posterior.holds(values_of(truth), found.parameters, 0.9999));
  const VectorXd exact = s.transpose() * (s * s.transpose() + 2 * noise).ldlt().solve(s * truth);
  EXPECT_LT((vector_of(found.parameters) - exact).norm(), 0.05 * exact.norm());
}

}  // namespace
}  // namespace gfdt::calibrate

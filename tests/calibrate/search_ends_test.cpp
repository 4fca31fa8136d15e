// How searches end, and the uncertainty of their answers, with maps in place of models.
#include <gmock/gmock.h>

#include <Eigen/Dense>
#include <cmath>

#include "search_cases.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using ::testing::HasSubstr;
using Purpose = Request::Purpose;

TEST(Search, EndsWithinNoiseOfTheTruth) {
  Case c = linear_case();
  const Calibration found = c.run();
  EXPECT_TRUE(has_answer(found.status)) << found.explanation;
  EXPECT_TRUE(found.posterior.holds({2, -1}, found.parameters, 0.9999));
  EXPECT_LT(found.posterior.standard_error[0], 0.02);
  EXPECT_GT(found.mismatch.tail, 1e-3);
  EXPECT_EQ(found.statistics.size(), 3U);
  EXPECT_EQ(found.simulated_time, [&] {
    double sum = 0;
    for (const Request& request : c.evaluator.requests) sum += request.length;
    return sum;
  }());
  EXPECT_EQ(found.wall_seconds, 0.5 * static_cast<double>(c.evaluator.requests.size()));
}

// For converged searches, the answers of 200 pairs of seeds differ by 0.03·√2 posterior standard errors (root mean
// square): 0.3 is seven of these.
TEST(Search, ConvergesOnlyIfAnotherSeedHardlyMovesTheAnswer) {
  const double of_targets = 1e-4;
  for (const double share : {1.0, 0.3, 0.03}) {
    const bool settled = share < 0.1;
    for (std::uint64_t pair = 0; pair < 200; ++pair) {
      std::vector<Calibration> found;
      for (const std::uint64_t seed : {2 * pair + 1, 2 * pair + 2}) {
        Case c = linear_case(share * share * of_targets, of_targets);
        c.problem.seed = seed;
        found.push_back(c.run());
        EXPECT_EQ(found.back().status, settled ? Status::within_noise : Status::simulation_noise)
            << share << found.back().explanation;
      }
      const double apart = std::abs(found[0].parameters[0] - found[1].parameters[0]);
      EXPECT_TRUE(!settled || apart < 0.3 * found[0].posterior.standard_error[0]) << apart;
    }
  }
}

TEST(Search, IgnoresHiddenDirectionsIfTheMismatchVanishes) {
  const auto sum = [](const VectorXd& x) -> VectorXd { return VectorXd::Constant(1, x.sum()); };
  Case c{problem_with({1, 2, 3}, VectorXd::Constant(1, 6.2), diagonal(1, 1e-2)), MapEvaluator(sum, diagonal(1, 1e-8))};
  c.evaluator.jacobian_error = 0.2;
  const Calibration found = c.run();
  EXPECT_EQ(found.status, Status::within_noise) << found.explanation;
  EXPECT_NEAR(found.statistics[0].mean, 6.2, 0.02);
  EXPECT_EQ(asked(c.evaluator, Purpose::statistics).size(), 1U) << "that of the answer, none along hidden directions";
}

TEST(Search, WithoutSimulationNoiseIsAsExactAsTheTargets) {
  Problem problem = problem_with({2, 0.7}, of_relaxation(Eigen::Vector2d(1, 1)), diagonal(2, 1e-12));
  for (FreeParameter& parameter : problem.parameters) parameter.lower = 0;
  for (const double noise : {0.0, 1e-30}) {
    Case c{problem, MapEvaluator(of_relaxation, diagonal(2, noise))};
    const Calibration found = c.run();
    EXPECT_EQ(found.status, Status::within_noise) << found.explanation;
    EXPECT_NEAR(found.parameters[0], 1, 1e-6);
    EXPECT_NEAR(found.parameters[1], 1, 1e-6);
    EXPECT_NEAR(found.posterior.standard_error[0], 1e-6, 1e-8);
  }
}

TEST(Search, EndsUnstableIfNoStepIsStable) {
  Case c = linear_case();
  c.evaluator.fails = [](const Request& request) { return request.purpose == Purpose::stability; };
  const Calibration found = c.run();
  EXPECT_EQ(found.status, Status::unstable);
  EXPECT_THAT(found.explanation, HasSubstr("It blew up."));
  EXPECT_EQ(asked(c.evaluator, Purpose::stability).size(), 4U);  // the step and three halvings
  EXPECT_EQ(found.parameters, (std::vector<double>{1, 1}));
  // The standard error includes the step that was not taken.
  EXPECT_GT(found.posterior.standard_error[1], 1.9);
}

TEST(Search, EndsWithSmallStepsIfAllStepsFail) {
  Case c = linear_case();
  c.evaluator.fails = [](const Request& request) {
    return request.purpose == Purpose::jacobian && request.parameters != std::vector<double>{1, 1};
  };
  c.options.iterations = 50;
  const Calibration found = c.run();
  EXPECT_EQ(found.status, Status::small_steps) << found.explanation;
  EXPECT_EQ(found.parameters, (std::vector<double>{1, 1}));
}

TEST(Search, EndsFailedIfTheGuessCannotBeEvaluated) {
  Case c = linear_case();
  c.evaluator.fails = [](const Request&) { return true; };
  const Calibration found = c.run();
  EXPECT_EQ(found.status, Status::failed);
  EXPECT_THAT(found.explanation, HasSubstr("at the guess. It blew up."));
  EXPECT_EQ(found.iterations.size(), 1U);
}

TEST(Search, EndsBelowTheToleranceOnlyInALongRun) {
  Case c = linear_case(1e-6);
  c.options.until_noise = false;
  c.options.tolerance = 0.05;
  c.problem.parameters[0].value = 2;  // the guess is already below the tolerance, in a short run
  c.problem.parameters[1].value = -1.01;
  const Calibration found = c.run();
  EXPECT_EQ(found.status, Status::tolerance);
  EXPECT_TRUE(converged(found.status));
  EXPECT_LT(found.iterations.front().mismatch.norm, 0.05);
  EXPECT_EQ(found.iterations.back().length, 1);
  EXPECT_LT(found.mismatch.norm, 0.05);
}

TEST(Search, EndsUnreachableBeyondNoise) {
  Case c = linear_case();
  c.problem.targets.value[2] += 0.5;  // 50 standard deviations that no parameters can explain
  const Calibration found = c.run();
  EXPECT_EQ(found.status, Status::unreachable) << found.explanation;
  EXPECT_FALSE(converged(found.status));
  EXPECT_EQ(found.iterations.back().length, 1);
}

// All steps with such a Jacobian lead uphill. Runs on both sides of the parameters do not need it.
TEST(Search, MovesByPollsIfTheJacobianIsWrong) {
  Case c = linear_case(1e-8);
  c.evaluator.misleading = -diagonal(2, 1);
  c.options.iterations = 100;
  const Calibration found = c.run();
  EXPECT_FALSE(converged(found.status)) << found.explanation;
  EXPECT_LT(found.mismatch.norm, 0.9 * found.iterations.front().mismatch.norm);
  std::size_t polls = 0;
  for (const Iteration& iteration : found.iterations)
    for (const std::string& remark : iteration.remarks) polls += remark.find("both sides") != std::string::npos;
  EXPECT_EQ(polls, 3U) << found.iterations.size() << found.explanation;
}

TEST(Search, EndsUnreachableIfErrorsOfTheJacobianHideTheMinimum) {
  const auto twice = [](const VectorXd& x) -> VectorXd { return Eigen::Vector2d(x(0), x(0)); };
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
    Case c{problem_with({1.5}, Eigen::Vector2d(1, 2), diagonal(2, 1e-3), seed), MapEvaluator(twice, diagonal(2, 1e-8))};
    c.evaluator.jacobian_error = 2;
    const Calibration found = c.run();
    EXPECT_EQ(found.status, Status::unreachable) << found.explanation;
    EXPECT_NEAR(found.parameters[0], 1.5, 0.05);
  }
}

TEST(Search, IsNotUnreachableIfNeighboursCannotBeEvaluated) {
  Case c = linear_case();
  c.evaluator.fails = [](const Request& request) { return request.parameters != std::vector<double>{1, 1}; };
  c.options.stability_length = 0;
  const Calibration found = c.run();
  EXPECT_EQ(found.status, Status::small_steps) << found.explanation;
}

TEST(Search, EndsUnreachableAtAMinimumThatFullStepsOvershoot) {
  // Φ = ½ (x² + (c x² + 30)²)/σ² has its minimum at 0, where full steps lead from x to −60 c x.
  for (const double c : {0.012, 0.05, 0.2}) {
    Case curved{
        problem_with({0.5}, Eigen::Vector2d(0, -30), diagonal(2, 1e-6)),
        MapEvaluator([c](const VectorXd& x) { return Eigen::Vector2d(x(0), c * x(0) * x(0)); }, diagonal(2, 1e-12))};
    const Calibration found = curved.run();
    EXPECT_EQ(found.status, Status::unreachable) << c << ": " << found.explanation;
    EXPECT_GT(found.iterations.size(), 1U) << c;
    EXPECT_LT(std::abs(found.parameters[0]), 1.01 * 0.02 * 30 / (1 + 60 * c)) << c;
  }
}

TEST(Search, ReachesTargetsOnTheOppositeSideOfACircle) {
  // At the guess, no step brings the statistics noticeably closer to the targets.
  Case c{problem_with({2.9}, Eigen::Vector2d(1, 0), diagonal(2, 1e-4)),
         MapEvaluator([](const VectorXd& x) { return Eigen::Vector2d(std::cos(x(0)), std::sin(x(0))); },
                      diagonal(2, 1e-10))};
  const Calibration found = c.run();
  EXPECT_EQ(found.status, Status::within_noise) << found.explanation;
  EXPECT_NEAR(found.parameters[0], 0, 0.05);
}

TEST(Search, EndsAfterTheAllowedIterationsOrTime) {
  Case few = linear_case();
  few.options.iterations = 1;
  few.options.until_noise = false;
  const Calibration found = few.run();
  EXPECT_EQ(found.status, Status::iterations);
  EXPECT_EQ(found.iterations.size(), 2U);
  Case poor = linear_case();
  poor.options.simulated_time = 0.15;
  const Calibration spent = poor.run();
  EXPECT_EQ(spent.status, Status::simulated_time);
  EXPECT_EQ(spent.iterations.size(), 1U);
  EXPECT_EQ(spent.parameters, (std::vector<double>{1, 1}));
}

TEST(Search, DoesNotStartRunsBeyondTheBudget) {
  const double needed = linear_case().run().simulated_time;
  for (const double share : {0.3, 0.6, 0.9}) {
    Case c = linear_case();
    c.options.simulated_time = share * needed;
    const Calibration found = c.run();
    EXPECT_EQ(found.status, Status::simulated_time);
    EXPECT_LE(found.simulated_time, share * needed);
    EXPECT_THAT(found.explanation, HasSubstr("the next run takes about"));
  }
}

TEST(Search, KeepsItsResultsIfInterrupted) {
  for (const std::size_t at : {1U, 2U, 3U, 5U}) {
    Case c = linear_case();
    c.evaluator.cancelled_at = at;
    const Calibration found = c.run();
    EXPECT_EQ(found.status, Status::interrupted);
    EXPECT_EQ(found.parameters.empty(), at == 1);
    EXPECT_EQ(c.evaluator.requests.size(), at);
  }
}

TEST(Search, WithPriorsEndsBetweenThemAndTheTargets) {
  Case c{problem_with({0}, VectorXd::Constant(1, 1), diagonal(1, 0.01)),
         MapEvaluator([](const VectorXd& x) -> VectorXd { return x; }, diagonal(1, 1e-8))};
  c.problem.parameters[0].prior = Prior{0.9, 0.1};
  const Calibration found = c.run();
  EXPECT_EQ(found.status, Status::within_noise);
  EXPECT_NEAR(found.parameters[0], 0.95, 0.02);
  EXPECT_NEAR(found.posterior.standard_error[0], std::sqrt(0.005), 1e-4);
}

/// How often the region of the answer contains the true parameters in random linear problems, and how often there is an
/// answer.
struct Outcome {
  double held = 0, answered = 0;
};

Outcome random_problems(double of_targets, double of_simulation, int freedom, double jacobian_error, int count) {
  Outcome result;
  for (int trial = 0; trial < count; ++trial) {
    Normals normals(1000 + static_cast<std::uint64_t>(trial));
    const Index q = 2 + trial % 4, p = 1 + trial % std::min<Index>(q, 3);
    const MatrixXd s = normals.matrix(q, p) + 2 * MatrixXd::Identity(q, p);
    const VectorXd truth = normals.vector(p), guess = truth + normals.vector(p);
    const MatrixXd noise = some_covariance(normals, q, of_targets);
    Case c{
        problem_with(values_of(guess), s * truth + normals.draw(noise), noise, 77 + static_cast<std::uint64_t>(trial)),
        MapEvaluator([s](const VectorXd& x) -> VectorXd { return s * x; }, some_covariance(normals, q, of_simulation))};
    c.evaluator.freedom = freedom;
    c.evaluator.jacobian_error = jacobian_error;
    const Calibration found = c.run();
    result.answered += has_answer(found.status) / static_cast<double>(count);
    result.held += found.posterior.holds(values_of(truth), found.parameters, 0.95) / static_cast<double>(count);
  }
  return result;
}

// 300 problems each: for a rate of 0.95, fewer than 0.90 have probability 2e-4 and more than 0.99 have probability
// 1e-4.
TEST(Search, RegionsContainTheTruthInRandomProblems) {
  const auto check = [](const Outcome& outcome, const char* what) {
    EXPECT_GE(outcome.held, 0.90) << what;
    EXPECT_LE(outcome.held, 0.99) << what;
    EXPECT_GE(outcome.answered, 0.97) << what;
  };
  check(random_problems(1e-3, 1e-3, 0, 0, 300), "equal noise");
  check(random_problems(1e-3, 1e-6, 0, 0, 300), "noise of the targets");
  check(random_problems(1e-6, 1e-3, 0, 0, 300), "noise of the simulation");
  check(random_problems(1e-6, 1e-3, 15, 0, 300), "noise of the simulation, sixteen members");
  check(random_problems(1e-3, 1e-3, 31, 0.05, 300), "equal noise, a noisy Jacobian");
}

}  // namespace
}  // namespace gfdt::calibrate

// Recovery of a search that is stuck.
#include <gtest/gtest.h>

#include <cmath>

#include "search_cases.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::VectorXd;

/// A map whose derivatives are dominated by noise, as for a chaotic model.
Case noisy_case() {
  Case c{problem_with({1.5}, VectorXd::Constant(1, 1), diagonal(1, 1e-2)),
         MapEvaluator([](const VectorXd& x) -> VectorXd { return x; }, diagonal(1, 1e-6))};
  c.evaluator.jacobian_error = 10;
  return c;
}

TEST(Rescue, ContinuesASearchWhoseJacobianIsNoise) {
  Case c = noisy_case();
  EXPECT_FALSE(converged(c.run().status));
  // Below 1.4, where the ensemble leads, the derivatives are good.
  Case good = noisy_case();
  good.evaluator.jacobian_error = 0;
  good.evaluator.fails = [](const Request& request) {
    return request.purpose == Request::Purpose::jacobian && request.parameters[0] > 1.4;
  };
  const Calibration alone = good.run();
  EXPECT_EQ(alone.status, Status::failed);
  const Calibration found = calibrate(good.problem, good.options, good.evaluator);
  EXPECT_EQ(found.status, Status::within_noise) << found.explanation;
  EXPECT_NEAR(found.parameters[0], 1, 0.01);
  EXPECT_GT(found.simulated_time, alone.simulated_time);
  EXPECT_GT(found.iterations.size(), alone.iterations.size() + 1);
  for (std::size_t i = 1; i < found.iterations.size(); ++i)
    EXPECT_GE(found.iterations[i].spent, found.iterations[i - 1].spent);
}

TEST(Rescue, NeverMakesAnAnswerWorse) {
  Case c = noisy_case();
  const Calibration alone = c.run();
  const Calibration found = calibrate(c.problem, c.options, c.evaluator);
  EXPECT_LE(found.mismatch.chi_square, alone.mismatch.chi_square);
}

TEST(Rescue, DoesNotMistakeTheMeanOfAnEnsembleForTheMinimum) {
  Case c = noisy_case();
  c.evaluator.jacobian_error = 0;
  c.evaluator.fails = [](const Request& request) { return request.purpose == Request::Purpose::jacobian; };
  const Calibration found = calibrate(c.problem, c.options, c.evaluator);
  EXPECT_EQ(found.status, Status::failed) << found.explanation;
  EXPECT_LT(found.parameters[0], 1.5);
}

TEST(Rescue, StaysWithinTheBudget) {
  Case c = noisy_case();
  c.options.simulated_time = c.run().simulated_time * 1.01;
  const Calibration found = calibrate(c.problem, c.options, c.evaluator);
  EXPECT_LE(found.simulated_time, *c.options.simulated_time);
}

}  // namespace
}  // namespace gfdt::calibrate

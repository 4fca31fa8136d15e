#include "gfdt/calibrate/search/time_step.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace gfdt::calibrate {
namespace {

using statistics::Average;
using statistics::TimeStepBias;
using testing::HasSubstr;

/// Statistics a and b whose mismatches have the standard deviations 1 and 2 and this correlation.
Mismatch mismatch_of(double correlation) {
  Mismatch result;
  result.noise = {1, 2 * correlation, 2 * correlation, 4};
  return result;
}

std::vector<Average> averages() {
  std::vector<Average> result(2);
  result[0].name = "a";
  result[1].name = "b";
  return result;
}

Diagnostic judged(std::vector<double> biases, double noise, double correlation = 0) {
  const TimeStepBias bias{.compared = true, .ratio = 4, .value = std::move(biases), .standard_error = {noise, noise}};
  return judge_time_step(bias, {.dt = 0.1}, averages(), mismatch_of(correlation));
}

TEST(TimeStep, IsReportedIfItBiasesTheParameters) {
  const Diagnostic found = judged({0.1, -3}, 1e-3);
  EXPECT_FALSE(found.passed());
  EXPECT_THAT(found.text, HasSubstr("The bias of b is about 3.0000(10)"));
  EXPECT_THAT(found.text, HasSubstr("up to 1.5 of their standard errors"));
  EXPECT_THAT(found.remedy, HasSubstr("smaller simulation.dt than 0.1"));
}

TEST(TimeStep, IsJudgedByTheBiasOfAllStatisticsTogether) {
  EXPECT_TRUE(judged({0.4, 0}, 1e-3).passed());
  EXPECT_TRUE(judged({0, 0.8}, 1e-3).passed());
  EXPECT_FALSE(judged({0.4, 0.8}, 1e-3).passed());
  // Along the common direction, with the variance 1 + 0.9: √(0.32/1.9) = 0.41.
  EXPECT_TRUE(judged({0.4, 0.8}, 1e-3, 0.9).passed());
}

TEST(TimeStep, IsNotReportedForNoise) {
  EXPECT_TRUE(judged({4, 4}, 1).passed());
  EXPECT_FALSE(judged({4.3, 4}, 1).passed());
}

TEST(TimeStep, OfUnknownBiasIsReported) {
  const TimeStepBias unknown{.compared = true, .ratio = 0, .value = {0, 0}, .standard_error = {0, 0}};
  EXPECT_FALSE(judge_time_step(unknown, {.dt = 0.1}, averages(), mismatch_of(0)).passed());
  EXPECT_TRUE(judge_time_step({}, {.dt = 0.1}, averages(), mismatch_of(0)).passed());
}

}  // namespace
}  // namespace gfdt::calibrate

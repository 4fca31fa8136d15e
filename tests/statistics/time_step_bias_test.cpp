#include "gfdt/statistics/checks/time_step_bias.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::statistics {
namespace {

using testing::HasSubstr;

/// dx = −x dt + √2 dW. Euler–Maruyama has <x²> = 1/(1 − dt/2).
symbolic::Model relaxation() {
  symbolic::Description description;
  description.state("x", "-x", "sqrt(2)");
  return build(description.observable("square", "x^2"));
}

simulate::Options long_run(double dt) {
  return {.dt = dt, .members = 100, .length = 400, .burn_in = 10, .backend = codegen::Backend::interpreter};
}

// Within 4 standard errors of the exact bias: a false-alarm rate of 1/16 000.
TEST(TimeStepBias, OfEulerMaruyamaAgreesWithItsExactVariance) {
  const symbolic::Model model = relaxation();
  const simulate::Options options = long_run(0.1);
  EnsembleStatistics run = simulate_statistics(model, options);
  const TimeStepBias bias = time_step_bias(model, options, run.observables, {}, {}, {});
  ASSERT_TRUE(bias.compared);
  ASSERT_EQ(bias.ratio, 4);
  // The longer step shows (1/(1 − 0.2) − 1/(1 − 0.05))/3: a bias of first order, with an error of second order.
  const double shown = (1 / 0.8 - 1 / 0.95) / 3;
  EXPECT_NEAR(bias.value[0], shown, 4 * bias.standard_error[0]);
  EXPECT_GT(bias.size(0, 1), 0.02);
  const double before = run.observables[0].standard_error;
  const Diagnostic diagnostic = include(bias, options, run.observables, run.mean_covariance);
  EXPECT_FALSE(diagnostic.passed());
  EXPECT_THAT(diagnostic.remedy, HasSubstr("simulation.dt"));
  EXPECT_DOUBLE_EQ(run.observables[0].standard_error, std::hypot(before, bias.size(0, 1)));
  EXPECT_NEAR(run.mean_covariance[0], std::pow(run.observables[0].standard_error, 2), 1e-12);
  EXPECT_NEAR(run.observables[0].mean, 1, 3 * run.observables[0].standard_error);
}

// Noise appears as a bias of 0.47 standard errors on average, and increases the error by half for 2 % of all seeds.
TEST(TimeStepBias, ThatNoiseExplainsHardlyIncreasesErrors) {
  const symbolic::Model model = relaxation();
  const simulate::Options options = long_run(0.001);
  EnsembleStatistics run = simulate_statistics(model, options);
  const double before = run.observables[0].standard_error;
  const Diagnostic diagnostic = include(time_step_bias(model, options, run.observables, {}, {}, {}), options,
                                        run.observables, run.mean_covariance);
  EXPECT_TRUE(diagnostic.passed());
  EXPECT_LT(run.observables[0].standard_error, 1.5 * before);
}

// A + L u is evaluated at fewer states, which must not add noise to averages without a control variate. A second run
// with a quarter of the steps has the same noise as the first one.
TEST(TimeStepBias, OfPlainAveragesUsesAllSamples) {
  symbolic::Description description;
  description.state("x", "-4*x", "sqrt(8)").observable("square", "x^2").observable("far", "x > 2");
  const symbolic::Model model = build(description);
  simulate::Options options = long_run(0.01);
  EnsembleStatistics run = simulate_statistics(model, options);
  run.observables[0].plain = PlainAverage{1, 0.01};
  const auto square = [](const double* states, std::size_t count, double* result) {
    for (std::size_t i = 0; i < count; ++i) result[i] = states[i] * states[i];
  };
  const ObservedFunctions residuals{{"square", ObservedFunction(square)}};
  const TimeStepBias bias = time_step_bias(model, options, run.observables, {}, residuals, {});
  ASSERT_EQ(bias.ratio, 4);
  const double expected = std::sqrt(2.0) * run.observables[1].standard_error / 3;
  EXPECT_NEAR(bias.standard_error[1], expected, 0.25 * expected);
}

/// A + L u with u = c x²/2: nearly 1 for c near 1, and x² for c = 0.
ObservedFunctions residual(double c) {
  const auto values = [c](const double* states, std::size_t count, double* result) {
    for (std::size_t i = 0; i < count; ++i) result[i] = (1 - c) * states[i] * states[i] + c;
  };
  return {{"square", ObservedFunction(values)}};
}

TEST(TimeStepBias, OfAControlledAverageIsThatOfTheResidual) {
  const symbolic::Model model = relaxation();
  const simulate::Options options = long_run(0.1);
  for (const double c : {0.99, 0.5}) {
    EnsembleStatistics run = simulate_statistics(model, simulate::ModelSource(model, options), {}, {}, residual(c));
    run.observables[0].plain = PlainAverage{1 / 0.95, 0.01};
    const TimeStepBias bias = time_step_bias(model, options, run.observables, {}, residual(c), {});
    ASSERT_TRUE(bias.compared);
    const double shown = (1 - c) * (1 / 0.8 - 1 / 0.95) / 3;
    EXPECT_NEAR(bias.value[0], shown, 4 * bias.standard_error[0]) << c;
    EXPECT_NEAR(bias.size(0, 1), shown, 0.2 * shown) << c;
  }
}

TEST(TimeStepBias, OfManyShortMembersIsEstimated) {
  const symbolic::Model model = relaxation();
  const simulate::Options options{.dt = 0.1, .members = 20000, .length = 10, .burn_in = 5, .seed = 5};
  EnsembleStatistics run = simulate_statistics(model, simulate::ModelSource(model, options), {}, {}, residual(0.5));
  run.observables[0].plain = PlainAverage{1 / 0.95, 0.01};
  const TimeStepBias bias = time_step_bias(model, options, run.observables, {}, residual(0.5), {});
  EXPECT_FALSE(bias.too_short);
  EXPECT_GT(bias.ratio, 0);
  EXPECT_GT(bias.standard_error[0], 0);
}

TEST(TimeStepBias, IsNotJudgedFromTooFewSamples) {
  const symbolic::Model model = relaxation();
  const simulate::Options options{.dt = 0.1, .members = 2000, .length = 2, .burn_in = 5, .seed = 5};
  EnsembleStatistics run = simulate_statistics(model, options);
  const TimeStepBias bias = time_step_bias(model, options, run.observables, {}, {}, {});
  EXPECT_TRUE(bias.too_short);
  const Diagnostic diagnostic = include(bias, options, run.observables, run.mean_covariance);
  EXPECT_TRUE(diagnostic.passed());
  EXPECT_TRUE(diagnostic.unresolved());
}

TEST(TimeStepBias, IsNotEstimatedIfControlVariatesLeaveNoResidual) {
  const symbolic::Model model = relaxation();
  const simulate::Options options = long_run(0.1);
  EnsembleStatistics run = simulate_statistics(model, options);
  run.observables[0].plain = PlainAverage{1 / 0.95, 0.01};
  const TimeStepBias bias = time_step_bias(model, options, run.observables, {}, {}, {});
  EXPECT_FALSE(bias.compared);
  const Diagnostic diagnostic = include(bias, options, run.observables, run.mean_covariance);
  EXPECT_TRUE(diagnostic.passed());
  EXPECT_THAT(diagnostic.text, HasSubstr("removes the bias"));
}

TEST(TimeStepBias, OfFunctionsIsEstimatedFromTheirValues) {
  const symbolic::Model model = relaxation();
  const simulate::Options options = long_run(0.1);
  EnsembleStatistics run = simulate_statistics(model, simulate::ModelSource(model, options), {}, {}, residual(0.5));
  const TimeStepBias bias = time_step_bias(model, options, run.observables, residual(0.5), {}, {});
  EXPECT_NEAR(bias.value[0], 0.5 * (1 / 0.8 - 1 / 0.95) / 3, 4 * bias.standard_error[0]);
}

}  // namespace
}  // namespace gfdt::statistics

#include "gfdt/jacobian/finite_difference/finite_difference.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "../symbolic/model/paper_models.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/statistics/distribution.hpp"

namespace gfdt::jacobian {
namespace {

using symbolic::build;
using symbolic::Description;
using testing::HasSubstr;

constexpr auto interpreter = codegen::Backend::interpreter;

simulate::Options short_run() {
  return {.dt = 0.02,
          .members = 64,
          .length = 200,
          .burn_in = 10,
          .scheme = simulate::Scheme::weak2,
          .backend = interpreter};
}

Description ornstein_uhlenbeck() { return symbolic::ou().observable("variance", "x^2"); }

const Diagnostic* diagnostic(const Jacobian& result, Check check) {
  for (const auto& entry : result.diagnostics)
    if (entry.check == check) return &entry;
  return nullptr;
}

/// (value − exact)/standard error
double deviation(const Jacobian& result, std::size_t row, std::size_t column, double exact) {
  return (result.value[result.at(row, column)] - exact) / result.standard_error[result.at(row, column)];
}

TEST(FiniteDifference, OfOrnsteinUhlenbeckIsExactToItsErrorBars) {
  const Jacobian result = finite_difference_jacobian(build(ornstein_uhlenbeck()), short_run(), {}, {"alpha", "beta"});
  EXPECT_TRUE(result.usable());
  EXPECT_LT(std::abs(deviation(result, 0, 0, -0.5)), 4);
  EXPECT_LT(std::abs(deviation(result, 0, 1, 1)), 4);
  EXPECT_LT(result.standard_error[0], 0.012);
  EXPECT_LT(result.standard_error[1], 0.02);
  for (std::size_t at = 0; at < 2; ++at) {
    EXPECT_LE(result.sampling_error[at], result.standard_error[at]);
    EXPECT_GT(result.sampling_error[at], 0.5 * result.standard_error[at]);
  }
  EXPECT_EQ(result.degrees_of_freedom, 63);
  EXPECT_EQ(result.columns[0].method.text(), "finite-difference");
  EXPECT_EQ(result.columns[0].remark, "");
  EXPECT_NEAR(result.statistics[0].mean, 0.5, 4 * result.statistics[0].standard_error);
}

// 95 % intervals by Student's t over 60 seeds, steps chosen from the data: with the right coverage more than 11 misses
// have a probability of 5e-5.
TEST(FiniteDifference, IntervalsHoldTheExactValue) {
  simulate::Options options = short_run();
  options.members = 16;
  options.length = 100;
  int misses = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    options.seed = seed;
    const Jacobian result = finite_difference_jacobian(build(ornstein_uhlenbeck()), options, {}, {"alpha"});
    misses += std::abs(deviation(result, 0, 0, -0.5)) > statistics::student_t_interval(0.95, result.degrees_of_freedom);
  }
  EXPECT_LE(misses, 11);
  EXPECT_GE(misses, 1) << "intervals are too wide";
}

// By quadrature; columns F0, a, b, c, σ.
TEST(FiniteDifference, OfTheScalarModelAgreesWithQuadrature) {
  const double exact[3][5] = {{1.476892, 1.374495, 2.772319, -3.467515, -0.709439},
                              {2.748990, 4.270337, 6.312542, -13.756590, 0.180486},
                              {-0.097869, -0.178521, -0.374706, 0.809717, -0.116040}};
  const double guess[] = {0.72, -0.02664, -0.2, 0.0494, 0.84852};
  Description description = symbolic::scalar();
  std::vector<std::string> names;
  for (std::size_t j = 0; j < 5; ++j) {
    description.parameters[j].value = guess[j];
    names.push_back(description.parameters[j].name.text);
  }
  description.observable("mean", "x").observable("second", "x^2").observable("low", "x <= 2.5");
  simulate::Options options = short_run();
  options.length = 500;
  options.burn_in = 40;
  options.backend = codegen::Backend::automatic;
  const Jacobian result = finite_difference_jacobian(build(description), options, {}, names);
  EXPECT_TRUE(result.usable());
  for (std::size_t m = 0; m < 3; ++m)
    for (std::size_t j = 0; j < 5; ++j)
      EXPECT_LT(std::abs(deviation(result, m, j, exact[m][j])), 4) << names[j] << ' ' << m;
  for (std::size_t j = 0; j < 5; ++j)
    EXPECT_LT(result.standard_error[result.at(2, j)], 0.05 * std::abs(exact[2][j])) << names[j];
}

/// <X²> − F <X> = σ²/2 for every F, by the balance of energy.
Description small_lorenz96() {
  Description d;
  d.index("k", 8).parameter("F", 8).parameter("sigma", 1);
  d.state("X[k]", "-X[k-1]*(X[k-2] - X[k+1]) - X[k] + F", "sigma");
  d.initial.push_back({"X", {2.5, 3.5}});
  return d.observable("balance", "mean(k, X[k]^2) - F*mean(k, X[k])").observable("mu", "mean(k, X[k])");
}

TEST(FiniteDifference, OfChaoticDynamicsTakesStepsThatKeepTheNoiseLow) {
  const simulate::Options options{.dt = 0.005,
                                  .members = 64,
                                  .length = 100,
                                  .burn_in = 10,
                                  .cadence = 5,
                                  .scheme = simulate::Scheme::rk4,
                                  .precision = simulate::Precision::single_precision};
  const symbolic::Model model = build(small_lorenz96());
  const Jacobian result = finite_difference_jacobian(model, options, {}, {"F", "sigma"});
  EXPECT_TRUE(result.usable());
  EXPECT_LT(std::abs(deviation(result, 0, 0, 0)), 4);
  EXPECT_LT(std::abs(deviation(result, 0, 1, 1)), 4);
  const double tiny = result.columns[0].step / 32;
  const Jacobian noisy = finite_difference_jacobian(model, options, {.steps = {{"F", tiny}}}, {"F"});
  EXPECT_EQ(noisy.columns[0].step, tiny);
  EXPECT_GT(noisy.standard_error[noisy.at(1, 0)], 10 * result.standard_error[result.at(1, 0)]);
}

// P(x > c) of N(0, ½): its derivative is −ρ(c).
// The observable hardly depends on b, but the model at 64 b is another one: its wells are far apart and deep.
TEST(FiniteDifference, TakesNoStepBeyondTheSizeOfTheParameter) {
  Description d;
  d.parameter("b", 0.3).state("x", "v").state("v", "b*x - x^3 - v", "1");
  const Jacobian result = finite_difference_jacobian(build(d.observable("square", "v^2")), short_run(), {}, {"b"});
  EXPECT_LE(result.columns[0].step, 1);
  EXPECT_LT(std::abs(deviation(result, 0, 0, 0)), 4);
}

TEST(FiniteDifference, TakesStepsOfAParameterThatIsZeroFromItsEffect) {
  Description d;
  d.parameter("h", 0.0).state("x", "1000*h - x", "1");
  const Jacobian result = finite_difference_jacobian(build(d.observable("mean", "x")), short_run(), {}, {"h"});
  EXPECT_LT(result.columns[0].step, 1e-2);
  EXPECT_LT(std::abs(deviation(result, 0, 0, 1000)), 4);
}

TEST(FiniteDifference, HoldsWhatAnObservableItselfDependsOn) {
  Description description = symbolic::ou().parameter("c", 0.6);
  description.observable("tail", "x > c");
  const Jacobian result = finite_difference_jacobian(build(description), short_run(), {}, {"c"});
  EXPECT_LT(std::abs(deviation(result, 0, 0, -std::exp(-0.36) / std::sqrt(std::numbers::pi))), 4);
  EXPECT_LT(result.standard_error[0], 0.01);
}

TEST(FiniteDifference, SpendsNothingOnAParameterThatAppearsNowhere) {
  const symbolic::Model model = build(ornstein_uhlenbeck().parameter("idle", 3));
  const Jacobian result = finite_difference_jacobian(model, short_run(), {}, {"idle"});
  EXPECT_EQ(result.value[0], 0);
  EXPECT_EQ(result.standard_error[0], 0);
  EXPECT_EQ(result.columns[0].remark, "appears nowhere: exactly zero");
  EXPECT_NEAR(result.simulated_time, 64 * 210, 1e-6);
  EXPECT_TRUE(result.usable());
}

TEST(FiniteDifference, TakesColumnsInTheOrderAskedForAndStepsAsGiven) {
  const Options options{.steps = {{"beta", 0.01}}, .relative_step = 0.05};
  Description description = ornstein_uhlenbeck();
  description.parameters[0].value = 4;
  const Jacobian result = finite_difference_jacobian(build(description), short_run(), options, {"beta", "alpha"});
  EXPECT_EQ(result.columns[0].parameter, "beta");
  EXPECT_EQ(result.columns[0].step, 0.01);
  EXPECT_EQ(result.columns[1].parameter, "alpha");
  EXPECT_EQ(result.columns[1].step, 0.2);
  EXPECT_GT(result.value[0], 0);
  EXPECT_LT(result.value[1], 0);
}

TEST(FiniteDifference, IsTheSameOnAnyNumberOfThreads) {
  simulate::Options options = short_run();
  options.members = 300;
  options.length = 10;
  std::vector<Jacobian> results;
  for (const int threads : {1, 3}) {
    options.threads = threads;
    results.push_back(finite_difference_jacobian(build(ornstein_uhlenbeck()), options, {}, {"alpha", "beta"}));
  }
  EXPECT_EQ(results[0].value, results[1].value);
  EXPECT_EQ(results[0].standard_error, results[1].standard_error);
}

TEST(FiniteDifference, NeverCrossesABound) {
  // Beyond its bounds the parameter makes the observable undefined.
  Description description = symbolic::ou().parameter("p", 1);
  description.observable("root", "x^2*sqrt(p - 0.9)*sqrt(1.5 - p)");
  description.parameters.back().lower = 0.9;
  description.parameters.back().upper = 1.5;
  const symbolic::Model model = build(description);
  const Jacobian given = finite_difference_jacobian(model, short_run(), {.relative_step = 0.3}, {"p"});
  EXPECT_DOUBLE_EQ(given.columns[0].step, 0.1);
  EXPECT_THAT(given.columns[0].remark, HasSubstr("bounds of p"));
  EXPECT_TRUE(std::isfinite(given.value[0]));
  const Jacobian searched = finite_difference_jacobian(model, short_run(), {}, {"p"});
  EXPECT_LT(searched.columns[0].step, 0.1);
  // d/dp of √(p−0.9)√(1.5−p)/2 at p = 1
  EXPECT_LT(std::abs(deviation(searched, 0, 0, 0.25 * (std::sqrt(0.5 / 0.1) - std::sqrt(0.1 / 0.5)))), 4);
}

TEST(FiniteDifference, HalvesAStepAtWhichMembersBlowUp) {
  Description description = ornstein_uhlenbeck();
  description.parameters[0].value = 0.2;
  simulate::Options options = short_run();
  options.length = 400;
  const Jacobian result =
      finite_difference_jacobian(build(description), options, {.steps = {{"alpha", 0.6}}}, {"alpha"});
  EXPECT_NEAR(result.columns[0].step, 0.15, 1e-12);
  EXPECT_THAT(result.columns[0].remark, HasSubstr("step halved to 0.15"));
  EXPECT_TRUE(result.usable());
}

TEST(FiniteDifference, SaysWhichColumnCannotBeHad) {
  Description description = symbolic::ou().parameter("a", 0).parameter("s", 0);
  description.parameters.back().lower = description.parameters.back().upper = 0;
  description.drift[0].formula.text = "-alpha*x*(1 - 2*(a != 0))";
  description.observable("variance", "x^2 + s*x");
  const symbolic::Model model = build(description);
  for (const Options& options : {Options{}, Options{.relative_step = 0.5}}) {
    const Jacobian result = finite_difference_jacobian(model, short_run(), options, {"a", "s", "beta"});
    EXPECT_TRUE(std::isnan(result.value[0]));
    EXPECT_TRUE(std::isnan(result.value[1]));
    EXPECT_TRUE(std::isfinite(result.value[2]));
    EXPECT_THAT(result.columns[0].remark, HasSubstr("no step found"));
    EXPECT_THAT(result.columns[1].remark, HasSubstr("no room"));
    EXPECT_FALSE(result.usable());
    ASSERT_TRUE(diagnostic(result, Check::columns));
    EXPECT_THAT(diagnostic(result, Check::columns)->text, HasSubstr("no derivative with respect to a"));
  }
}

// <x²> = β²/2α on a lower bound of α and on an upper bound of β.
TEST(FiniteDifference, GoesToOneSideOnABound) {
  Description description = ornstein_uhlenbeck();
  description.parameters[0].lower = 1;
  description.parameters[1].upper = 1;
  const Jacobian result = finite_difference_jacobian(build(description), short_run(), {}, {"alpha", "beta"});
  EXPECT_TRUE(result.usable());
  EXPECT_LT(std::abs(deviation(result, 0, 0, -0.5)), 4);
  EXPECT_LT(std::abs(deviation(result, 0, 1, 1)), 4);
  EXPECT_LT(result.standard_error[0], 0.012);
  EXPECT_LT(result.standard_error[1], 0.02);
  EXPECT_THAT(result.columns[0].remark, HasSubstr("lower bound"));
  EXPECT_THAT(result.columns[1].remark, HasSubstr("upper bound"));
}

TEST(FiniteDifference, SaysWhichObservableIsNotDefinedNearby) {
  Description description = ornstein_uhlenbeck().parameter("p", 0.1);
  description.observable("root", "x^2*sqrt(p)");
  const Jacobian result = finite_difference_jacobian(build(description), short_run(), {.relative_step = 0.2}, {"p"});
  EXPECT_EQ(result.value[0], 0);
  EXPECT_TRUE(std::isnan(result.value[1]));
  EXPECT_THAT(result.columns[0].remark, HasSubstr("root is not a finite number"));
  EXPECT_FALSE(result.usable());
}

TEST(FiniteDifference, OfAModelThatBlowsUpSaysSo) {
  Description description = ornstein_uhlenbeck();
  description.parameters[0].value = -1;
  const Jacobian result = finite_difference_jacobian(build(description), short_run(), {}, {"alpha"});
  EXPECT_FALSE(result.usable());
  EXPECT_TRUE(result.value.empty());
  EXPECT_THAT(result.columns[0].remark, HasSubstr("blew up"));
}

TEST(FiniteDifference, OfFewMembersHasErrorsFromPartsOfTheTime) {
  simulate::Options options = short_run();
  options.members = 2;
  options.length = 4000;
  const symbolic::Model model = build(ornstein_uhlenbeck());
  const Jacobian parts = finite_difference_jacobian(model, options, {}, {"alpha"});
  EXPECT_EQ(parts.degrees_of_freedom, 29);
  EXPECT_LT(std::abs(deviation(parts, 0, 0, -0.5)), 4);
  const Jacobian reference = finite_difference_jacobian(model, short_run(), {}, {"alpha"});
  EXPECT_NEAR(std::log(parts.standard_error[0] / reference.standard_error[0] * std::sqrt(8000 / 12800.0)), 0, 0.6);

  options.length = 20;
  EXPECT_EQ(finite_difference_jacobian(model, options, {}, {"alpha"}).degrees_of_freedom, 1);
  options.members = 1;
  const Jacobian one = finite_difference_jacobian(model, options, {}, {"alpha"});
  EXPECT_TRUE(std::isfinite(one.value[0]));
  EXPECT_TRUE(std::isnan(one.standard_error[0]));
  ASSERT_TRUE(diagnostic(one, Check::error_bars));
  EXPECT_THAT(diagnostic(one, Check::error_bars)->remedy, HasSubstr("at least 8 (simulation.members)"));
}

TEST(FiniteDifference, OfARunWithHardlyAnySamplesIsHadAllTheSame) {
  simulate::Options options = short_run();
  options.length = 20;
  options.cadence = 500;
  const Jacobian result = finite_difference_jacobian(build(ornstein_uhlenbeck()), options, {}, {"alpha"});
  EXPECT_LT(std::abs(deviation(result, 0, 0, -0.5)), 4);
}

TEST(FiniteDifference, ProgressIsOneBarThatNeverGoesBack) {
  std::vector<double> heard;
  simulate::Control control;
  control.progress = [&](const Progress& progress) { heard.push_back(progress.fraction); };
  finite_difference_jacobian(build(ornstein_uhlenbeck()), short_run(), {}, {"alpha", "beta"}, control);
  EXPECT_TRUE(std::ranges::is_sorted(heard));
  EXPECT_LT(heard.front(), 0.1);
  EXPECT_EQ(heard.back(), 1);
}

class StoppedAt : public testing::TestWithParam<double> {};

TEST_P(StoppedAt, GivesNoNumbersForWhatIsLeft) {
  Cancellation cancellation;
  simulate::Control control;
  control.cancellation = &cancellation;
  control.progress = [&](const Progress& progress) {
    if (progress.fraction > GetParam()) cancellation.request();
  };
  const Jacobian result =
      finite_difference_jacobian(build(ornstein_uhlenbeck()), short_run(), {}, {"alpha", "beta"}, control);
  EXPECT_FALSE(result.usable());
  ASSERT_TRUE(diagnostic(result, Check::completion));
  EXPECT_FALSE(diagnostic(result, Check::completion)->passed());
  if (!result.value.empty()) {
    EXPECT_TRUE(std::isnan(result.value[1]));
  }
}

INSTANTIATE_TEST_SUITE_P(Anywhere, StoppedAt, testing::Values(0.0, 0.3, 0.9));

TEST(FiniteDifference, RefusesWhatItDoesNotKnow) {
  const symbolic::Model model = build(ornstein_uhlenbeck());
  EXPECT_THROW(finite_difference_jacobian(model, short_run(), {}, {"alfa"}), Error);
  EXPECT_THROW(finite_difference_jacobian(model, short_run(), {.steps = {{"alfa", 0.1}}}, {"alpha"}), Error);
  EXPECT_THROW(finite_difference_jacobian(model, short_run(), {.relative_step = -1.0}, {"alpha"}), Error);
}

}  // namespace
}  // namespace gfdt::jacobian

// Members that become unstable are replaced, counted, and never enter a result.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
#include "recorder.hpp"

namespace gfdt::simulate {
namespace {

using statistics::EnsembleStatistics;
using statistics::simulate_statistics;
using symbolic::build;
using symbolic::Description;
using symbolic::Model;
using testing::HasSubstr;

/// The stochastic closure of Lorenz-96; α₃ = −0.0017 is the published initial guess.
Model lorenz96(double alpha3) {
  Description description;
  description.index("k", 36).parameter("alpha3", alpha3).parameter("sigma", 1.0359);
  description.state("X[k]",
                    "-X[k-1]*(X[k-2] - X[k+1]) - X[k] + 10 - (0.1494 + 0.3945*X[k] - 0.0084*X[k]^2 + alpha3*X[k]^3)",
                    "sigma");
  description.initial.push_back({"X", {2.5, 3.5}});
  description.observable("mu", "mean(k, X[k])").observable("V", "mean(k, (X[k] - mu)^2)");
  return build(description);
}

Options lorenz96_options(int members, double length) {
  return {.dt = 0.005,
          .members = members,
          .length = length,
          .burn_in = 5,
          .cadence = 20,
          .scheme = Scheme::rk4,
          .precision = Precision::single_precision};
}

const Diagnostic& diagnostic(const EnsembleStatistics& result, Check check) {
  for (const auto& entry : result.diagnostics)
    if (entry.check == check) return entry;
  throw Error("no diagnostic " + std::string(name(check)));
}

TEST(Replacement, KeepsEveryStatisticFiniteOnAnyNumberOfThreads) {
  const Model model = lorenz96(-0.0035);
  Options options = lorenz96_options(512, 20);
  std::vector<std::vector<double>> paths;
  int replaced = 0;
  for (const int threads : {1, 2, 3, 8}) {
    options.threads = threads;
    Recorder recorder;
    Sink* more[] = {&recorder};
    const EnsembleStatistics result = simulate_statistics(model, options, {}, more);
    ASSERT_EQ(result.run.status, Status::done);
    if (threads == 1) {
      paths = recorder.paths();
      replaced = result.run.replaced_members;
      EXPECT_GT(replaced, 5);
      EXPECT_LT(replaced, 256);
    }
    EXPECT_EQ(result.run.replaced_members, replaced);
    EXPECT_EQ(recorder.paths(), paths) << threads;
    EXPECT_FALSE(diagnostic(result, Check::stability).passed());
    EXPECT_THAT(diagnostic(result, Check::stability).text,
                HasSubstr(std::to_string(replaced) + " of 512 members blew up and were replaced."));
    EXPECT_FALSE(result.no_problems());
    for (const auto& average : result.observables) {
      EXPECT_TRUE(std::isfinite(average.mean) && std::isfinite(average.standard_error));
      EXPECT_LT(std::abs(average.mean), 30);
    }
    for (const auto& drift : result.stationarity.drifts) EXPECT_TRUE(std::isfinite(drift.p_value));
  }
  ASSERT_EQ(paths.size(), 512u);
  for (const auto& path : paths) {
    ASSERT_EQ(path.size(), 36 * options.samples());
    for (double value : path) ASSERT_TRUE(std::isfinite(value));
  }
}

// A member that became unstable is run again with a random stream that no other member uses.
TEST(Replacement, RunsAMemberAgainFromAnotherStream) {
  const Recorder recorder = record(lorenz96(-0.0035), lorenz96_options(512, 20));
  std::vector<double> first;
  for (std::size_t member = 0; member < 512; ++member) first.push_back(recorder.at(member, 0, 0));
  std::ranges::sort(first);
  EXPECT_EQ(std::ranges::adjacent_find(first), first.end());
  EXPECT_EQ(stream_of(7, 0), 7u);
  EXPECT_NE(stream_of(7, 1), stream_of(7, 2));
  EXPECT_NE(stream_of((1 << 24) - 1, 0), stream_of(0, 1));
}

void expect_published_moments(const EnsembleStatistics& result) {
  ASSERT_EQ(result.run.status, Status::done);
  const auto near = [&](std::size_t i, double published, double half_a_digit) {
    EXPECT_NEAR(result.observables[i].mean, published, half_a_digit + result.observables[i].half_width(1 - 1e-4));
  };
  near(0, 2.582, 0.0005);
  near(1, 14.06, 0.005);
}

// A run that starts near the stationary distribution remains stable: none of 40960 members became unstable within 128
// time units, so that more than 3 of 2048 have a probability below 2e-5.
TEST(Replacement, IsRareAtThePublishedInitialGuess) {
  const EnsembleStatistics result = simulate_statistics(lorenz96(-0.0017), lorenz96_options(2048, 128));
  EXPECT_LE(result.run.replaced_members, 3);
  expect_published_moments(result);
}

TEST(Replacement, DoesNotChangeTheStationaryDistribution) {
  Model model = lorenz96(-0.0017);
  model.initial[0] = {0, 10};
  const EnsembleStatistics result = simulate_statistics(model, lorenz96_options(1024, 50));
  EXPECT_GT(result.run.replaced_members, 10);
  EXPECT_LT(result.run.replaced_members, 100);
  expect_published_moments(result);
}

TEST(Replacement, IsAbandonedEarlyForNanFromTheStart) {
  Description description;
  description.state("x", "log(x) - x", "0.1").observable("x2", "x^2");
  description.initial.push_back({"x", {-5, 0.1}});
  const EnsembleStatistics result = simulate_statistics(
      build(description), {.dt = 0.01, .members = 100, .length = 1e6, .backend = codegen::Backend::interpreter});
  EXPECT_EQ(result.run.status, Status::unstable);
  EXPECT_THAT(result.run.explanation, HasSubstr("100 of 100 members blew up"));
  EXPECT_THAT(result.run.explanation, HasSubstr("log(x) is not defined for x < 0"));
  EXPECT_THAT(result.run.explanation, HasSubstr("formulas are not defined"));
  EXPECT_FALSE(diagnostic(result, Check::stability).passed());
  EXPECT_TRUE(result.observables.empty());
  EXPECT_LT(result.run.simulated_time, 1e5);
}

TEST(Replacement, ErrorNamesRootsWithNegativeArguments) {
  const auto explanation = [](const std::string& noise) {
    Description description;
    description.parameter("s", 1).state("v", "0.04 - v", noise).observable("m", "v");
    description.initial.push_back({"v", {0.04, 0}});
    const EnsembleStatistics result = simulate_statistics(
        build(description), {.dt = 0.5, .members = 50, .length = 1000, .backend = codegen::Backend::interpreter});
    return result.run.explanation;
  };
  EXPECT_THAT(explanation("s*sqrt(v)"), HasSubstr("sqrt(v) is not defined for v < 0"));
  const std::string other = explanation("s*sqrt(1 + v^2)*exp(v^2)");  // defined for all v
  EXPECT_THAT(other, HasSubstr("blew up"));
  EXPECT_THAT(other, Not(HasSubstr("is not defined")));
}

TEST(Replacement, DetectsNanAtASingleUncoupledSite) {
  Description description;
  description.index("k", 4).state("X[k]", "-X[k]^3", "0.1");
  description.initial.push_back({"X", {0, 20}});  // beyond √(2/dt) the Euler step overshoots and diverges
  Recorder recorder;
  Sink* sinks[] = {&recorder};
  const Summary summary =
      run(build(description),
          {.dt = 0.001, .members = 200, .length = 2, .burn_in = 0, .backend = codegen::Backend::interpreter}, sinks);
  ASSERT_EQ(summary.status, Status::done);
  EXPECT_GT(summary.replaced_members, 0);
  for (const auto& path : recorder.paths())
    for (double value : path) ASSERT_TRUE(std::isfinite(value));
}

// The tails are so heavy that some members exceed any limit. The replaced members must not depend on the sampling of
// the run.
TEST(Replacement, DoesNotDependOnTheCadence) {
  Description description;
  description.state("x", "0.25*x");
  description.diffusion.push_back({"x", {{"w1", "x"}, {"w2", "1"}}});
  std::vector<int> replaced;
  for (const int cadence : {1, 7, 100, 300, 1000}) {
    Options options{
        .dt = 0.01, .members = 256, .length = 200, .cadence = cadence, .backend = codegen::Backend::interpreter};
    replaced.push_back(simulate_statistics(build(description), options).run.replaced_members);
  }
  EXPECT_GT(replaced[0], 0);
  EXPECT_EQ(replaced, std::vector<int>(replaced.size(), replaced[0]));
}

TEST(Replacement, DetectsFiniteButAbsurdValues) {
  Description description;  // rarely, a member jumps to a distant fixed point
  description.state("x", "(x < 3.2)*(-x) + (x >= 3.2)*(1e8 - x)", "1").observable("x2", "x^2");
  const EnsembleStatistics result = simulate_statistics(
      build(description),
      {.dt = 0.05, .members = 400, .length = 20, .burn_in = 5, .threads = 1, .backend = codegen::Backend::interpreter});
  ASSERT_EQ(result.run.status, Status::done);
  EXPECT_GT(result.run.replaced_members, 0);
  EXPECT_LT(result.observables[0].mean, 100);
}

TEST(Replacement, OfExponentialGrowthIsUnstableOrNonStationary) {
  for (const double length : {20.0, 1000.0}) {
    Description description;
    description.state("x", "x", "1");
    const EnsembleStatistics result = simulate_statistics(
        build(description), {.dt = 0.01, .members = 50, .length = length, .backend = codegen::Backend::interpreter});
    EXPECT_FALSE(result.no_problems());
    if (length > 100) {
      EXPECT_EQ(result.run.status, Status::unstable);
    }
    if (result.run.status == Status::done) {
      EXPECT_FALSE(diagnostic(result, Check::stationarity).passed());
    }
  }
}

TEST(Replacement, AcceptsAMemberThatGrowsFromZeroToTheStationaryDistribution) {
  Description description = ornstein_uhlenbeck(1, 1);
  start_at(description, "x", 0);
  Recorder recorder;
  Sink* sinks[] = {&recorder};
  const Summary summary = run(build(description),
                              {.dt = 1e-3,
                               .members = 20000,
                               .length = 2,
                               .burn_in = 1e-3,
                               .cadence = 100,
                               .backend = codegen::Backend::interpreter},
                              sinks);
  EXPECT_EQ(summary.status, Status::done);
  EXPECT_EQ(summary.replaced_members, 0);
}

TEST(Replacement, AcceptsASingleStableMember) {
  const EnsembleStatistics result =
      simulate_statistics(build(ornstein_uhlenbeck()),
                          {.dt = 0.01, .members = 1, .length = 2000, .backend = codegen::Backend::interpreter});
  EXPECT_EQ(result.run.status, Status::done);
  EXPECT_TRUE(result.no_problems());
  EXPECT_NEAR(result.observables[0].mean, 0.5 / (1 - 0.005), result.observables[0].half_width(1 - 1e-4));
}

}  // namespace
}  // namespace gfdt::simulate

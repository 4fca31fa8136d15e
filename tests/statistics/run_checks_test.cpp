// The diagnostics of simulate_statistics for valid runs and for runs with problems.
#include <gmock/gmock.h>

#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::statistics {
namespace {

using simulate::Options;
using simulate::Status;
using symbolic::build;
using symbolic::Description;
using testing::HasSubstr;

constexpr auto interpreter = codegen::Backend::interpreter;

Description ornstein_uhlenbeck() {
  Description description;
  description.parameter("alpha", 1).parameter("beta", 1).state("x", "-alpha*x", "beta");
  return description.observable("x2", "x^2").observable("high", "x > 1");
}

const Diagnostic& diagnostic(const EnsembleStatistics& result, Check check) {
  for (const Diagnostic& entry : result.diagnostics)
    if (entry.check == check) return entry;
  throw Error("no diagnostic " + std::string(name(check)));
}

TEST(RunChecks, PassForAStationaryModel) {
  const auto result = simulate_statistics(build(ornstein_uhlenbeck()),
                                          {.dt = 0.01, .members = 50, .length = 100, .backend = interpreter});
  EXPECT_TRUE(result.no_problems());
  for (const Diagnostic& entry : result.diagnostics) {
    EXPECT_TRUE(entry.passed()) << name(entry.check);
    EXPECT_NE(entry.text, "") << name(entry.check);
    EXPECT_EQ(entry.remedy, "") << name(entry.check);
  }
  EXPECT_NEAR(result.observables[0].mean, 0.5 / (1 - 0.005), result.observables[0].half_width(1 - 1e-4));
  EXPECT_EQ(result.stationarity.drifts.size(), 4u);  // two observables, and the means of x and x^2
}

// 200 runs with a false-alarm rate of 1e-3 each: more than 3 alarms have probability 6e-5.
TEST(RunChecks, RaiseFalseAlarmsAsRarelyAsStated) {
  const symbolic::Model model = build(ornstein_uhlenbeck());
  for (const int members : {1, 64}) {
    int alarms = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const auto result = simulate_statistics(model, {.dt = 0.05,
                                                      .members = members,
                                                      .length = members == 1 ? 500.0 : 50.0,
                                                      .seed = 100 + seed,
                                                      .backend = interpreter});
      alarms += !diagnostic(result, Check::stationarity).passed();
    }
    EXPECT_LE(alarms, 3) << members;
  }
}

TEST(RunChecks, ReportBrownianMotion) {
  Description description;
  description.state("x", "0", "1");
  for (const int members : {1, 20, 64, 200}) {
    const auto result = simulate_statistics(build(description),
                                            {.dt = 0.01, .members = members, .length = 100, .backend = interpreter});
    ASSERT_EQ(result.run.status, Status::done);
    EXPECT_FALSE(diagnostic(result, Check::mixing).passed());
    if (members < 64) continue;  // the mean squares of few members scatter too much for a significant result
    EXPECT_FALSE(diagnostic(result, Check::stationarity).passed());
    EXPECT_THAT(diagnostic(result, Check::stationarity).text, HasSubstr("mean of x^2 moves by"));
    EXPECT_NE(diagnostic(result, Check::stationarity).remedy, "");
  }
}

TEST(RunChecks, ReportARunTooShortToMix) {
  Description description;
  description.state("x", "-0.001*x", "1");
  description.initial.push_back({"x", {0, 22.4}});
  const auto result =
      simulate_statistics(build(description), {.dt = 0.1, .members = 50, .length = 500, .backend = interpreter});
  EXPECT_FALSE(diagnostic(result, Check::mixing).passed());
  EXPECT_THAT(diagnostic(result, Check::mixing).remedy, HasSubstr("Make simulation.length at least"));
}

TEST(RunChecks, ReportABurnInThatIsTooShort) {
  Description description = ornstein_uhlenbeck();
  description.initial.push_back({"x", {30, 0}});
  const auto result = simulate_statistics(
      build(description), {.dt = 0.01, .members = 50, .length = 20, .burn_in = 0, .backend = interpreter});
  EXPECT_FALSE(diagnostic(result, Check::stationarity).passed());
  EXPECT_THAT(diagnostic(result, Check::stationarity).remedy, HasSubstr("longer burn_in"));
}

TEST(RunChecks, PassForADeterministicFixedPoint) {
  Description description;
  description.state("x", "0.1 - x").observable("x2", "x^2");
  const auto result = simulate_statistics(
      build(description), {.dt = 0.01, .members = 50, .length = 100, .burn_in = 100, .backend = interpreter});
  EXPECT_TRUE(diagnostic(result, Check::stationarity).passed()) << diagnostic(result, Check::stationarity).text;
  EXPECT_NEAR(result.observables[0].mean, 0.01, 1e-12);
}

TEST(RunChecks, ReportAnObservableThatIsNotANumber) {
  Description description = ornstein_uhlenbeck();
  description.observable("root", "sqrt(x)").observable("fine", "x");
  const auto result =
      simulate_statistics(build(description), {.dt = 0.01, .members = 50, .length = 100, .backend = interpreter});
  EXPECT_FALSE(result.no_problems());
  EXPECT_FALSE(diagnostic(result, Check::definedness).passed());
  EXPECT_THAT(diagnostic(result, Check::definedness).text, HasSubstr("root"));
  EXPECT_TRUE(diagnostic(result, Check::stationarity).passed());
  EXPECT_TRUE(diagnostic(result, Check::mixing).passed());
  EXPECT_TRUE(std::isfinite(result.observables[0].mean));
}

TEST(RunChecks, ReportAnObservableThatNeverVaries) {
  Description description = ornstein_uhlenbeck();
  description.observable("m", "x").observable("v", "(x - m)^2");
  const auto result =
      simulate_statistics(build(description), {.dt = 0.01, .members = 50, .length = 100, .backend = interpreter});
  EXPECT_FALSE(diagnostic(result, Check::variation).passed());
  EXPECT_THAT(diagnostic(result, Check::variation).text, HasSubstr("v was 0 at all times"));
  EXPECT_TRUE(result.usable());
}

// For 1/x, which has no mean, one member nearly always dominates; for x, with 64 normal means, this never happens.
TEST(RunChecks, ReportAnAverageDominatedByOneMember) {
  Description description = ornstein_uhlenbeck();
  const Options options{.dt = 0.01, .members = 64, .length = 100, .backend = interpreter};
  EXPECT_TRUE(diagnostic(simulate_statistics(build(description), options), Check::tails).passed());
  description.observable("inverse", "1/x");
  EXPECT_FALSE(diagnostic(simulate_statistics(build(description), options), Check::tails).passed());
}

TEST(RunChecks, ReportAnAbsorbedState) {
  Description description;
  description.state("x", "-x", "x");
  const auto result =
      simulate_statistics(build(description), {.dt = 0.01, .members = 64, .length = 2000, .backend = interpreter});
  EXPECT_FALSE(diagnostic(result, Check::stationarity).passed());
}

TEST(RunChecks, NameTheOptionToChange) {
  simulate::Summary unstable, stopped, replaced;
  unstable.status = Status::unstable;
  stopped.status = Status::cancelled;
  replaced.replaced_members = 3;
  const Average undefined{.name = "a", .mean = std::nan("")}, never{.name = "a"}, constant{.name = "a", .mean = 7};
  const Average slow{.name = "a", .standard_deviation = 1, .autocorrelation_time = 50, .mixing = Mixing::slow};
  const Stationarity drifting{false, true, {{"a", 1, 0.1, true, 1e-9}}};
  std::vector<double> one_far(100, 0.0);
  one_far[7] = 1;
  for (const Diagnostic& found : {stability(unstable, 10), stability(stopped, 10), stability(replaced, 10),
                                  definedness({undefined}), variation({constant}), stationarity_diagnostic(drifting),
                                  mixing({slow}, {}, 100), mixing({}, {}, 100), tails({"a"}, {one_far})}) {
    EXPECT_FALSE(found.passed()) << name(found.check);
    EXPECT_THAT(found.remedy, testing::ContainsRegex("simulation\\.[a-z_]+|max\\(x|x\\^2")) << name(found.check);
  }
  EXPECT_THAT(mixing({slow}, {}, 100).remedy, HasSubstr("at least 1000,"));
}

TEST(RunChecks, ReportACancelledRun) {
  Cancellation cancellation;
  cancellation.request();
  const auto result =
      simulate_statistics(build(ornstein_uhlenbeck()), {.length = 1e6, .backend = interpreter}, {{}, &cancellation});
  EXPECT_EQ(result.run.status, Status::cancelled);
  EXPECT_TRUE(result.observables.empty());
  EXPECT_FALSE(result.no_problems());
}

TEST(RunChecks, WorkForAnyNumberOfMembersAndSamples) {
  for (const int members : {1, 2, 7, 8, 65})
    for (const double length : {0.01, 0.1, 3.0, 50.0})
      for (const auto precision : {simulate::Precision::single_precision, simulate::Precision::double_precision}) {
        const auto result = simulate_statistics(
            build(ornstein_uhlenbeck()),
            {.dt = 0.01, .members = members, .length = length, .precision = precision, .backend = interpreter});
        ASSERT_EQ(result.run.status, Status::done);
        EXPECT_TRUE(std::isfinite(result.observables[0].mean));
        for (const Drift& drift : result.stationarity.drifts) EXPECT_TRUE(std::isfinite(drift.p_value));
      }
}

TEST(RunChecks, RejectInvalidOptions) {
  EXPECT_THROW(simulate_statistics(build(ornstein_uhlenbeck()), {.members = -1}), Error);
}

/// models/lorenz96-two-scale.toml with smaller rings.
symbolic::Model two_scale(double sigma_y) {
  Description description;
  description.index("k", 4).index("j", 4).parameter("sigma_y", sigma_y);
  description.state("X[k]", "-X[k-1]*(X[k-2] - X[k+1]) - X[k] + 10 - sum(j, Y[j,k])", "1");
  description.state("Y[j,k]", "-100*Y[j+1,k]*(Y[j+2,k] - Y[j-1,k]) - 10*Y[j,k] + X[k]", "sigma_y");
  description.initial.push_back({"X", {2.5, 3.5}});
  description.initial.push_back({"Y", {0.1, 0.1}});
  return build(description.observable("V", "mean(k, X[k]^2) - mean(k, X[k])^2"));
}

// Without noise of its own, a ring of Y reaches the absorbing state in which all Y are equal.
TEST(RunChecks, ReportAnAbsorbingStateReachedByRounding) {
  const Options options{.dt = 0.005,
                        .members = 64,
                        .length = 400,
                        .burn_in = 20,
                        .cadence = 20,
                        .scheme = simulate::Scheme::rk4,
                        .precision = simulate::Precision::single_precision};
  const auto dying = simulate_statistics(two_scale(0), options), alive = simulate_statistics(two_scale(1e-6), options);
  EXPECT_FALSE(diagnostic(dying, Check::stationarity).passed());
  EXPECT_THAT(diagnostic(dying, Check::stationarity).remedy, HasSubstr("absorbing state"));
  EXPECT_TRUE(diagnostic(alive, Check::stationarity).passed()) << diagnostic(alive, Check::stationarity).text;
}

}  // namespace
}  // namespace gfdt::statistics

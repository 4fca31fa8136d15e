// Runs whose members have not mixed, and conditions that changed rarely or never.
#include "gfdt/statistics/checks/mixing.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
#include "gfdt/symbolic/model/description.hpp"
#include "series.hpp"

namespace gfdt::statistics {
namespace {

using symbolic::build;
using symbolic::Description;
using testing::HasSubstr;

constexpr auto interpreter = codegen::Backend::interpreter;

const Diagnostic& diagnostic(const EnsembleStatistics& result, Check check) {
  for (const Diagnostic& entry : result.diagnostics)
    if (entry.check == check) return entry;
  throw Error("no diagnostic " + std::string(name(check)));
}

/// With noise amplitude 0.2, a member takes about 6e5 time units from one well to the other.
Description metastable() {
  Description description;
  description.parameter("a", 1).parameter("h", 0.01).state("x", "a*x - x^3 + h", "0.2");
  return description.observable("mean", "x").observable("right", "x > 0");
}

TEST(Mixing, OfMembersThatStayInTheirWellsIsFatal) {
  const EnsembleStatistics result =
      simulate_statistics(build(metastable()), {.dt = 0.01, .members = 64, .length = 200, .backend = interpreter});
  for (const Average& average : result.observables) {
    EXPECT_EQ(average.mixing, Mixing::not_mixed);
    EXPECT_FALSE(average.usable());
    EXPECT_GT(average.standard_error, 0.9 * average.standard_deviation);  // as if there were a single member
  }
  EXPECT_FALSE(result.complete());
  EXPECT_EQ(diagnostic(result, Check::mixing).verdict, Verdict::failed);
  EXPECT_THAT(diagnostic(result, Check::mixing).text, HasSubstr("have not mixed in mean, right"));
  EXPECT_THAT(diagnostic(result, Check::mixing).remedy, HasSubstr("a lower bound"));
}

// x is as slow as in the test above; z, which does not depend on it, remains usable. `weak` depends on x weakly: its
// own autocorrelation time is short, but its members disagree.
TEST(Mixing, OfAnUnrelatedSlowStateLeavesOtherObservablesUsable) {
  Description description = metastable();
  description.state("z", "-z", "1").observable("square", "z^2").observable("weak", "z + 0.5*x");
  const EnsembleStatistics result =
      simulate_statistics(build(description), {.dt = 0.01, .members = 64, .length = 200, .backend = interpreter});
  EXPECT_TRUE(result.usable());
  EXPECT_FALSE(result.complete());
  EXPECT_EQ(result.observables[2].mixing, Mixing::mixed);
  EXPECT_EQ(result.observables[3].mixing, Mixing::not_mixed);
  EXPECT_THAT(diagnostic(result, Check::mixing).text, HasSubstr("have not mixed in mean, right, weak:"));
}

TEST(Mixing, OfSlowStatesThatNoObservableDependsOnIsAWarning) {
  Description description = metastable();
  description.observables.clear();
  description.state("z", "-z", "1").observable("square", "z^2");
  const EnsembleStatistics result =
      simulate_statistics(build(description), {.dt = 0.01, .members = 64, .length = 200, .backend = interpreter});
  EXPECT_FALSE(diagnostic(result, Check::mixing).passed());
  EXPECT_TRUE(result.complete());
}

// An Ornstein–Uhlenbeck process with τ = 20: members of 30 τ, 10 τ and 2 τ, and of 2 τ after a burn-in of 10 τ.
TEST(Mixing, FollowsTheLengthOfMembersInAutocorrelationTimes) {
  Description description;
  description.state("x", "-0.05*x", "1").observable("m", "x");
  const auto mixing_at = [&](double length, double burn_in) {
    const EnsembleStatistics result = simulate_statistics(
        build(description), {.dt = 0.1, .members = 400, .length = length, .burn_in = burn_in, .backend = interpreter});
    return result.observables[0].mixing;
  };
  EXPECT_EQ(mixing_at(800, 100), Mixing::mixed);
  EXPECT_EQ(mixing_at(200, 100), Mixing::slow);
  EXPECT_EQ(mixing_at(40, 40), Mixing::not_mixed);
  EXPECT_EQ(mixing_at(40, 200), Mixing::slow);
}

TEST(Mixing, MemoryRatioInvertsTheShareOfExponentialCorrelations) {
  for (const double r : {1e-3, 0.05, 0.2, 1.0, 5.0}) {
    const double share = 2 * r * (1 - r * (1 - std::exp(-1 / r)));
    EXPECT_NEAR(memory_ratio(share) / r, 1, 1e-9);
  }
  EXPECT_EQ(memory_ratio(1.1), longest_memory_ratio);
  EXPECT_NEAR(memory_ratio(0), 0, 1e-15);
}

TEST(Mixing, DegreesOfFreedomCountDominantValues) {
  std::vector<double> values(100, 0.0);
  for (const std::size_t i : {3u, 40u, 77u}) values[i] = 1;
  EXPECT_NEAR(effective_degrees_of_freedom(values), 6, 1);
  const codegen::Stream stream(5, codegen::Purpose::test, 0);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = stream.normal(i);
  EXPECT_EQ(effective_degrees_of_freedom(values), 99);  // fails for 1 % of all seeds
}

TEST(Events, ThatNeverOccurredHaveTheErrorOfOneMissedEvent) {
  Description description;
  description.state("x", "-x", "1")
      .observable("far", "x > 6")
      .observable("near", "x < 6")
      .observable("cut", "max(x, 9)");
  const EnsembleStatistics result =
      simulate_statistics(build(description), {.dt = 0.01, .members = 20, .length = 100, .backend = interpreter});
  for (const std::size_t m : {0u, 1u}) {
    EXPECT_TRUE(result.observables[m].never_varied);
    EXPECT_EQ(result.observables[m].events, 0);
    EXPECT_NEAR(result.observables[m].standard_error, 2 / 2000.0, 0.3 * 2 / 2000.0);  // τ = 1, known to 10 %
  }
  EXPECT_TRUE(result.observables[2].never_varied);
  EXPECT_TRUE(std::isnan(result.observables[2].standard_error));
  EXPECT_FALSE(diagnostic(result, Check::variation).passed());
  EXPECT_THAT(diagnostic(result, Check::variation).remedy, HasSubstr("simulation.length"));
}

// 95 % intervals of P(x > 2.1) over 300 seeds; a run has about 8 events. For a coverage of 93 %, fewer than 262
// successes have probability 1e-4.
TEST(Events, ThatAreFewHaveValidIntervals) {
  Description description;
  description.state("x", "-x", "1").observable("high", "x > 2.1");
  const symbolic::Model model = build(description);
  const double dt = 0.1, variance = 1 / (2 - dt), exact = 0.5 * std::erfc(2.1 / std::sqrt(2 * variance));
  int held = 0;
  double events = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const EnsembleStatistics result = simulate_statistics(
        model, {.dt = dt, .members = 16, .length = 60, .burn_in = 5, .seed = seed, .backend = interpreter});
    const Average& high = result.observables[0];
    held += std::abs(high.mean - exact) < high.half_width(0.95);
    events += high.events.value_or(0) / 300;
  }
  EXPECT_GE(held, 262);
  EXPECT_GT(events, 2);
  EXPECT_LT(events, 20);
}

TEST(Events, ThatAreFewAreReported) {
  Description description;
  description.state("x", "-x", "1").observable("high", "x > 2.1");
  const EnsembleStatistics result =
      simulate_statistics(build(description), {.dt = 0.1, .members = 16, .length = 60, .backend = interpreter});
  EXPECT_FALSE(diagnostic(result, Check::events).passed());
  EXPECT_NE(diagnostic(result, Check::events).verdict, Verdict::failed);
  EXPECT_THAT(diagnostic(result, Check::events).text, HasSubstr("high became true in about"));
}

}  // namespace
}  // namespace gfdt::statistics

// Averages of models that depend on time.
#include <gmock/gmock.h>

#include <algorithm>
#include <numbers>

#include "gfdt/simulate/time_dependence.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::statistics {
namespace {

using testing::HasSubstr;

constexpr double period = 2 * std::numbers::pi;

/// dx = (−x + 2 cos t) dt + s dW, which converges to cos t + sin t and scatters around it with the variance s²/2.
symbolic::Description forced(const std::string& s = "0.5") {
  symbolic::Description d;
  d.state("x", "-x + 2*cos(t)", s);
  d.observable("x1", "x").observable("x2", "x^2").observable("in_phase", "x*cos(t)");
  d.period = period;
  return d;
}

simulate::Options options(double length) {
  return {.dt = 0.01,
          .members = 40,
          .length = length,
          .burn_in = 20,
          .cadence = 3,
          .scheme = simulate::Scheme::weak2,
          .backend = codegen::Backend::interpreter};
}

const Diagnostic* find(const EnsembleStatistics& found, Check check) {
  const auto diagnostic = std::ranges::find(found.diagnostics, check, &Diagnostic::check);
  return diagnostic == found.diagnostics.end() ? nullptr : &*diagnostic;
}

TEST(TimeDependence, AveragesAreOverWholePeriods) {
  const EnsembleStatistics found = simulate_statistics(symbolic::build(forced()), options(30 * period));
  EXPECT_TRUE(found.no_problems());
  EXPECT_EQ(find(found, Check::time_dependence)->text, "Averages are over 30 whole periods of 6.28319.");
  EXPECT_TRUE(find(found, Check::stationarity)->passed());
  const double exact[] = {0, 1 + 0.125, 0.5};
  // 5.6 standard errors with 39 degrees of freedom: a false-alarm rate of 2e-6. The error of weak2 is 1e-4.
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(found.observables[i].mean, exact[i], 5.6 * found.observables[i].standard_error + 2e-4) << i;
}

TEST(TimeDependence, TimeItselfIsNotMonitored) {
  const EnsembleStatistics found = simulate_statistics(symbolic::build(forced()), options(3 * period));
  std::vector<std::string> names;
  for (const Average& average : found.monitored) names.push_back(average.name);
  EXPECT_THAT(names, testing::ElementsAre("mean of x", "mean of x^2"));
}

// Without noise, nothing hides a third of the time that does not consist of whole periods.
TEST(TimeDependence, ACycleIsNotADrift) {
  for (const double length : {3 * period, 30 * period, 300 * period})
    for (const int cadence : {1, 50}) {
      simulate::Options o = options(length);
      o.cadence = cadence;
      const EnsembleStatistics found = simulate_statistics(symbolic::build(forced("0")), o);
      EXPECT_TRUE(find(found, Check::stationarity)->passed())
          << length << ": " << find(found, Check::stationarity)->text;
    }
}

TEST(TimeDependence, ADriftInAdditionToTheCycleIsReported) {
  symbolic::Description d = forced();
  d.state("y", "0.02", "0.01");
  const EnsembleStatistics found = simulate_statistics(symbolic::build(d), options(30 * period));
  EXPECT_FALSE(found.usable());
  EXPECT_THAT(find(found, Check::stationarity)->text, HasSubstr("of y moves by"));
}

TEST(TimeDependence, RunsWithoutWholePeriodsAreNotJudged) {
  const EnsembleStatistics found = simulate_statistics(symbolic::build(forced()), options(10.5 * period));
  EXPECT_TRUE(found.usable());
  EXPECT_FALSE(found.no_problems());
  EXPECT_THAT(find(found, Check::time_dependence)->text, HasSubstr("are not over whole periods of 6.28319"));
  EXPECT_FALSE(find(found, Check::stationarity));
  EXPECT_FALSE(found.stationarity.judged);
}

TEST(TimeDependence, WithoutPeriodThereAreNoLongRunAverages) {
  symbolic::Description d = forced();
  d.period.reset();
  d.time = true;
  d.drift[0].formula = "-x + 0.1*t";
  const EnsembleStatistics found = simulate_statistics(symbolic::build(d), options(100));
  EXPECT_TRUE(found.usable());
  EXPECT_FALSE(find(found, Check::time_dependence)->passed());
  EXPECT_NE(find(found, Check::time_dependence)->verdict, Verdict::failed);
  EXPECT_THAT(find(found, Check::time_dependence)->text, HasSubstr("averages are over the times from 20 to 120"));
  EXPECT_FALSE(find(found, Check::stationarity));
  EXPECT_FALSE(find(found, Check::mixing));
  // x converges to 0.1 (t − 1), whose average over those times is 6.9.
  EXPECT_NEAR(found.observables[0].mean, 6.9, 5.6 * found.observables[0].standard_error + 2e-3);
}

}  // namespace
}  // namespace gfdt::statistics

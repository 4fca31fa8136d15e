// Statistics of samples from other programs.
#include <gtest/gtest.h>

#include <algorithm>

#include "gfdt/simulate/recorded_source.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
#include "gfdt/symbolic/model/description.hpp"
#include "series.hpp"

namespace gfdt::statistics {
namespace {

constexpr simulate::Options interpreted{.backend = codegen::Backend::interpreter};

symbolic::Model one_state() {
  symbolic::Description description;
  description.state("x", "-x", "1").observable("x2", "x^2");
  return symbolic::build(description);
}

simulate::Recording recorded(const std::vector<std::vector<double>>& members) {
  simulate::Recording recording{
      .members = members.size(), .times = members[0].size(), .rows = 1, .interval = 1, .values = {}};
  for (const std::vector<double>& series : members)
    recording.values.insert(recording.values.end(), series.begin(), series.end());
  return recording;
}

EnsembleStatistics statistics_of(const std::vector<std::vector<double>>& members) {
  return simulate_statistics(one_state(), simulate::RecordedSource(recorded(members), interpreted));
}

TEST(RecordedStatistics, AreThoseOfTheSeries) {
  const auto members = ensemble(0.8, 20, 5000, 11);
  const EnsembleStatistics found = statistics_of(members);
  const Average expected = average_of(members);
  ASSERT_EQ(found.monitored.size(), 2u);
  EXPECT_TRUE(found.usable());
  EXPECT_EQ(found.monitored[0].mean, expected.mean);
  EXPECT_EQ(found.monitored[0].standard_error, expected.standard_error);
  EXPECT_EQ(found.monitored[0].autocorrelation_time, expected.autocorrelation_time);
  EXPECT_EQ(found.observables[0].mean, found.monitored[1].mean);
}

TEST(RecordedStatistics, OfOneMemberHaveStandardErrorsFromItsSegments) {
  const EnsembleStatistics found = statistics_of({autoregressive(0.8, 64000, 12)});
  EXPECT_TRUE(found.usable());
  EXPECT_EQ(found.monitored[0].degrees_of_freedom, 15);
  // χ² with 15 degrees of freedom is above 4·15 or below 15/2.5² with probability 1e-4.
  const double exact = std::sqrt(variance_of_mean(0.8, 64000));
  EXPECT_LT(found.monitored[0].standard_error, 2 * exact);
  EXPECT_GT(found.monitored[0].standard_error, exact / 2.5);
}

TEST(RecordedStatistics, DetectADriftAcrossSegments) {
  std::vector<double> series = autoregressive(0.5, 8000, 13);
  EXPECT_TRUE(statistics_of({series}).stationarity.stationary);
  for (std::size_t t = 0; t < series.size(); ++t) series[t] += 0.8 * static_cast<double>(t) / 8000;
  const EnsembleStatistics found = statistics_of({series});
  EXPECT_TRUE(found.stationarity.judged);
  EXPECT_FALSE(found.stationarity.stationary);
  EXPECT_FALSE(found.usable());
  // Two thirds of the whole change rather than of a sixteenth of it.
  EXPECT_NEAR(std::ranges::find(found.stationarity.drifts, "mean of x", &Drift::name)->change, 0.8 * 2 / 3, 0.15);
}

TEST(RecordedStatistics, SegmentsJoinToTheWhole) {
  const std::vector<double> whole = autoregressive(0.5, 15 * 16 * 20, 14);
  std::vector<std::vector<double>> segments;
  for (auto first = whole.begin(); first != whole.end(); first += 15 * 20)
    segments.emplace_back(first, first + 15 * 20);
  const std::vector<MemberSums> found = joined(member_sums(segments), 16);
  const MemberSums expected = member_sums<double>({whole})[0];
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].samples, expected.samples);
  EXPECT_NEAR(found[0].square, expected.square, 1e-9 * expected.square);
  EXPECT_NEAR(found[0].mean(), expected.mean(), 1e-12);
  for (int s = 0; s < parts_per_member; ++s) {
    double exact = 0;
    for (std::size_t i = 0; i < 320; ++i) exact += whole[static_cast<std::size_t>(s) * 320 + i] / 320;
    EXPECT_EQ(found[0].part_count[s], 320u);
    EXPECT_NEAR(found[0].mean_of_parts(s, s + 1), exact, 1e-12) << s;
  }
}

}  // namespace
}  // namespace gfdt::statistics

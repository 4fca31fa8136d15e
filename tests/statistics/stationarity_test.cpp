#include "gfdt/statistics/checks/stationarity.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "series.hpp"

namespace gfdt::statistics {
namespace {

struct Case {
  std::uint32_t members;
  double phi;
  std::uint64_t samples;
};

std::vector<double> p_values(const Case& c, int runs) {
  std::vector<double> result;
  for (int run = 0; run < runs; ++run)
    result.push_back(
        drift("A", member_sums(ensemble(c.phi, c.members, c.samples, 5000 + static_cast<std::uint64_t>(run)))).p_value);
  std::ranges::sort(result);
  return result;
}

class PValues : public testing::TestWithParam<Case> {};

// Kolmogorov–Smirnov: √n D exceeds √(−½ ln(½ 1e-4)) = 2.225 with probability 1e-4.
TEST_P(PValues, AreUniformOnStationarySeries) {
  constexpr int runs = 2000;
  const std::vector<double> p = p_values(GetParam(), runs);
  double distance = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    distance = std::max({distance, p[i] - static_cast<double>(i) / runs, static_cast<double>(i + 1) / runs - p[i]});
  EXPECT_LT(distance * std::sqrt(runs), 2.225);
}

INSTANTIATE_TEST_SUITE_P(ManyMembers, PValues, testing::Values(Case{8, 0, 100}, Case{8, 0.9, 100}, Case{50, 0.8, 101}));
// For few members, the parts of a fifteenth of the time are long compared with τ here.
INSTANTIATE_TEST_SUITE_P(FewMembers, PValues, testing::Values(Case{1, 0, 600}, Case{3, 0, 601}, Case{7, 0, 300}));

/// The share of runs with p below the level for four quantities.
double alarms(const Case& c, int runs) {
  const std::vector<double> p = p_values(c, runs);
  return static_cast<double>(std::ranges::lower_bound(p, Stationarity::false_alarm / 4) - p.begin()) / runs;
}

// Correlated parts of single members: with T = 200 τ, the rate of alarms stays within the stated one. Four standard
// deviations of a Poisson count with mean 4000 · 1e-3 / 4 = 1 allow up to 7, which is exceeded with probability 1e-5.
TEST(Stationarity, OfASingleCorrelatedMemberHasTheStatedFalseAlarmRate) {
  for (const Case& c : {Case{1, 0.8, 900}, Case{1, 0.8, 2000}, Case{3, 0.8, 900}})
    EXPECT_LE(alarms(c, 4000) * 4000, 7) << c.members << " members of "
                                         << static_cast<double>(c.samples) / autocorrelation_time(c.phi) << " τ";
}

std::vector<std::vector<double>> drifting(std::uint32_t members, double slope, std::uint64_t seed) {
  auto result = ensemble(0.5, members, 1500, seed);
  for (auto& series : result)
    for (std::size_t t = 0; t < series.size(); ++t) series[t] += slope * static_cast<double>(t) / 1500;
  return result;
}

// The change between the thirds is ⅔ slope; the mean over a third of a member has the standard error √(3/500) = 0.077.
TEST(Stationarity, FindsADrift) {
  for (const auto& [members, slope] : {std::pair{1u, 2.0}, {4u, 1.0}, {20u, 0.5}}) {
    const Drift d = drift("A", member_sums(drifting(members, slope, 31)));
    EXPECT_NEAR(d.change, slope * 2 / 3, 4 * 0.077 * std::sqrt(2.0 / members)) << members;
    EXPECT_NEAR(d.standard_error, 0.077 * std::sqrt(2.0 / members), 0.05) << members;
    EXPECT_LT(d.p_value, 1e-4) << members;
    EXPECT_FALSE(stationarity({d}).stationary);
  }
}

TEST(Stationarity, FindsADriftOfFewMembersWithDistantFirstSamples) {
  auto members = drifting(3, 1, 32);
  for (std::size_t m = 0; m < 3; ++m) members[m][0] += 5.0 * static_cast<double>(m);
  EXPECT_LT(drift("A", member_sums(members)).p_value, 1e-3);
}

TEST(Stationarity, AccountsForTheNumberOfQuantities) {
  std::vector<Drift> drifts(10);
  drifts[3] = {.name = "worst", .change = 1, .standard_error = 0.2, .p_value = 2e-4};
  EXPECT_TRUE(stationarity(drifts).stationary);
  EXPECT_EQ(stationarity(drifts).drifts[0].name, "worst");
  drifts[3].p_value = 0.9e-4;
  EXPECT_FALSE(stationarity(drifts).stationary);
  EXPECT_TRUE(stationarity({}).stationary);
}

TEST(Stationarity, OfAConstantIsNotInDoubt) {
  for (const std::uint32_t members : {1u, 3u, 20u})
    EXPECT_EQ(drift("A", member_sums(std::vector(members, std::vector<double>(1000, 0.1)))).p_value, 1);
}

// A deterministic model at its fixed point changes only by rounding errors.
TEST(Stationarity, IgnoresChangesOfTheSizeOfRounding) {
  for (const std::uint32_t members : {1u, 3u, 20u}) {
    std::vector<std::vector<double>> series(members, std::vector<double>(1000, 0.1));
    for (auto& one : series)
      for (std::size_t t = 500; t < 1000; ++t) one[t] = std::nextafter(0.1, 1);
    EXPECT_EQ(drift("A", member_sums(series)).p_value, 1) << members;
  }
}

TEST(Stationarity, FindsAJumpWithoutNoise) {
  for (const std::uint32_t members : {1u, 20u}) {
    std::vector<std::vector<double>> series(members, std::vector<double>(1000, 0.1));
    for (auto& one : series)
      for (std::size_t t = 500; t < 1000; ++t) one[t] = 0.2;
    EXPECT_LT(drift("A", member_sums(series)).p_value, 1e-6) << members;
  }
}

TEST(Stationarity, IsNotJudgedFromVeryFewSamples) {
  EXPECT_EQ(drift("A", member_sums(ensemble(0, 20, 10, 33))).p_value, 1);
  EXPECT_EQ(drift("A", {}).p_value, 1);
}

}  // namespace
}  // namespace gfdt::statistics

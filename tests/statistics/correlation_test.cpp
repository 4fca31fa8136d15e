#include "gfdt/statistics/correlation.hpp"

#include <gtest/gtest.h>

#include "gfdt/statistics/distribution.hpp"
#include "gfdt/statistics/series/lagged_products.hpp"
#include "series.hpp"

namespace gfdt::statistics {
namespace {

LaggedSums sums_of(const std::vector<double>& a, const std::vector<double>& b, int lags) {
  LaggedProducts products(1, 1, 1, lags);
  products.add(a.data(), b.data(), a.size());
  return products.finish()[0];
}

std::vector<LaggedSums> sums_of(const std::vector<std::vector<double>>& members, int lags) {
  std::vector<double> values;
  for (std::size_t t = 0; t < members[0].size(); ++t)
    for (const auto& series : members) values.push_back(series[t]);
  LaggedProducts products(1, 1, static_cast<int>(members.size()), lags);
  products.add(values.data(), values.data(), members[0].size());
  return products.finish();
}

LaggedCorrelation correlation(const std::vector<std::vector<double>>& members, int lags) {
  return lagged_correlation(sums_of(members, lags), 0, 0, 0.1);
}

// C(n) = φⁿ. The largest of 60 deviations exceeds the bound with probability 1e-4 (Bonferroni).
TEST(LaggedCorrelation, OfAnAutoregressiveSeriesIsExactWithinItsErrorsAtAllLags) {
  const double phi = 0.9;
  const int lags = 60;
  const auto result = correlation(ensemble(phi, 200, 3000, 21), lags);
  const double bound = student_t_interval(1 - 1e-4 / lags, 199);
  EXPECT_EQ(result.interval, 0.1);
  ASSERT_EQ(result.value.size(), 60u);
  for (std::size_t lag = 0; lag < 60; ++lag) {
    EXPECT_NEAR(result.value[lag], std::pow(phi, static_cast<double>(lag)), bound * result.standard_error[lag]) << lag;
    EXPECT_LT(result.standard_error[lag], 0.02);
  }
}

// 95 % intervals at each lag contain the true value in 95 % of 1000 runs, to 4.42 binomial standard deviations: a
// false-alarm rate of 1e-5 per lag.
TEST(LaggedCorrelation, HasIntervalsOfTheStatedCoverage) {
  const double phi = 0.7;
  const int runs = 1000, lags = 10, members = 30;
  std::vector<int> held(lags, 0);
  for (int run = 0; run < runs; ++run) {
    const auto result = correlation(ensemble(phi, members, 400, 3000 + static_cast<std::uint64_t>(run)), lags);
    for (std::size_t lag = 0; lag < held.size(); ++lag)
      held[lag] += std::abs(result.value[lag] - std::pow(phi, static_cast<double>(lag))) <=
                   result.standard_error[lag] * student_t_interval(0.95, members - 1);
  }
  for (std::size_t lag = 0; lag < held.size(); ++lag)
    EXPECT_NEAR(static_cast<double>(held[lag]) / runs, 0.95, 4.42 * std::sqrt(0.95 * 0.05 / runs)) << lag;
}

TEST(LaggedCorrelation, IsOfALaterEffectAndAnEarlierCause) {
  const std::vector<double> cause{1, -1, -1, 1, 1, 1, -1, 1};
  std::vector<double> effect;  // two samples after the cause
  for (std::size_t t = 0; t < cause.size(); ++t) effect.push_back(t >= 2 ? cause[t - 2] : 0);
  const std::vector forward{sums_of(effect, cause, 4)}, backward{sums_of(cause, effect, 4)};
  EXPECT_EQ(forward[0].count[2], 6);
  const double mean = 1.0 / 3;  // of the first six causes
  EXPECT_NEAR(lagged_correlation(forward, 0, 0, 1).value[2], 1 - mean * mean, 1e-12);
  EXPECT_LT(lagged_correlation(backward, 0, 0, 1).value[2], 0.5);
}

TEST(LaggedCorrelation, OfGroupsEqualsThatOfTheirMembers) {
  const auto members = sums_of(ensemble(0.8, 12, 500, 26), 20);
  std::vector<LaggedSums> groups(3);  // of 3, 4 and 5 members
  for (std::size_t i = 0; i < members.size(); ++i) groups[i < 3 ? 0 : i < 7 ? 1 : 2] += members[i];
  const auto one_by_one = lagged_correlation(members, 0, 0, 1), grouped = lagged_correlation(groups, 0, 0, 1);
  for (std::size_t lag = 0; lag < 20; ++lag) EXPECT_NEAR(grouped.value[lag], one_by_one.value[lag], 1e-12);
}

// The variance of the mean over 12 members, estimated from the members or from groups of 1, 2 and 3. The ratio of the
// two over 400 runs has a standard deviation of 0.026: the false-alarm rate is 1e-5.
TEST(LaggedCorrelation, HasTheSameErrorsFromGroupsOfUnequalSize) {
  double from_members = 0, from_groups = 0;
  for (std::uint64_t run = 0; run < 400; ++run) {
    const auto members = sums_of(ensemble(0.5, 12, 50, 4000 + run), 3);
    std::vector<LaggedSums> groups(6);
    const std::size_t group_of_member[] = {0, 1, 1, 2, 2, 2, 3, 4, 4, 5, 5, 5};
    for (std::size_t i = 0; i < members.size(); ++i) groups[group_of_member[i]] += members[i];
    from_members += std::pow(lagged_correlation(members, 0, 0, 1).standard_error[2], 2);
    from_groups += std::pow(lagged_correlation(groups, 0, 0, 1).standard_error[2], 2);
  }
  EXPECT_NEAR(from_groups / from_members, 1, 0.115);
}

TEST(LaggedCorrelation, IgnoresGroupsWithoutMembers) {
  auto sums = sums_of(ensemble(0.8, 10, 300, 27), 5);
  const auto without = lagged_correlation(sums, 0, 0, 1);
  sums.push_back(LaggedSums(1, 1, 5));
  const auto with = lagged_correlation(sums, 0, 0, 1);
  EXPECT_EQ(with.value, without.value);
  EXPECT_EQ(with.standard_error, without.standard_error);
}

TEST(LaggedCorrelation, KeepsItsPrecisionWithALargeOffset) {
  auto plain = ensemble(0.8, 10, 1000, 24), moved = plain;
  for (auto& series : moved)
    for (double& x : series) x += 1e8;
  const auto a = correlation(plain, 20), b = correlation(moved, 20);
  for (std::size_t lag = 0; lag < 20; ++lag) {
    EXPECT_NEAR(a.value[lag], b.value[lag], 1e-6);
    EXPECT_NEAR(a.standard_error[lag], b.standard_error[lag], 1e-6);
  }
}

TEST(LaggedCorrelation, OfAConstantIsZero) {
  const auto result = correlation(std::vector(9, std::vector<double>(100, 3.7)), 5);
  for (std::size_t lag = 0; lag < 5; ++lag) {
    EXPECT_NEAR(result.value[lag], 0, 1e-14);
    EXPECT_NEAR(result.standard_error[lag], 0, 1e-14);
  }
}

TEST(LaggedCorrelation, IsNanBeyondTheLengthOfTheSeries) {
  const auto result = correlation(ensemble(0.5, 9, 5, 25), 8);
  EXPECT_TRUE(std::isfinite(result.value[4]));
  for (std::size_t lag = 5; lag < 8; ++lag) EXPECT_TRUE(std::isnan(result.value[lag])) << lag;
  EXPECT_TRUE(lagged_correlation({}, 0, 0, 1).value.empty());
}

}  // namespace
}  // namespace gfdt::statistics

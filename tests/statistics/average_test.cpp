// Averages of autoregressive series, whose autocorrelation is known exactly.
#include "gfdt/statistics/average.hpp"

#include <gtest/gtest.h>

#include "gfdt/statistics/distribution.hpp"
#include "series.hpp"

namespace gfdt::statistics {
namespace {

TEST(Average, EstimatesTheAutocorrelationTime) {
  for (const double phi : {0.0, 0.5, 0.9, 0.98}) {
    const double tau = autocorrelation_time(phi);
    const Average a = average_of(ensemble(phi, 16, 40000, 11));
    EXPECT_TRUE(a.autocorrelation_resolved);
    // n averages over at most 40 τ determine a variance to √(2/n); 3.89 standard deviations: a false-alarm rate of
    // 1e-4.
    EXPECT_NEAR(a.autocorrelation_time / tau, 1, 3.89 * std::sqrt(2 * 40 * tau / (16 * 40000))) << phi;
    EXPECT_NEAR(a.standard_deviation, 1, 4 * std::sqrt(2 * tau / (16 * 40000))) << phi;
  }
}

TEST(Average, ScalesTimesWithTheSampleInterval) {
  const auto members = member_sums(ensemble(0.9, 16, 5000, 12));
  const Average a = average("A", members, 1, group_of(5000)), b = average("A", members, 0.25, group_of(5000));
  EXPECT_NEAR(b.autocorrelation_time, 0.25 * a.autocorrelation_time, 1e-12);
  EXPECT_EQ(a.standard_error, b.standard_error);
}

// The mean over seeds of the estimated variance of the mean, with seeds · (members − 1) degrees of freedom, or those of
// the blocks for few members (at most 40 τ long, at least 66 of them). The false-alarm rate is 1e-4.
TEST(Average, HasTheRightStandardErrorOnAverageOverSeeds) {
  const double phi = 0.8;
  const std::uint64_t samples = 3000;
  for (const std::uint32_t members : {1u, 3u, 8u, 30u}) {
    const int seeds = 300;
    double variance = 0;
    for (int seed = 0; seed < seeds; ++seed)
      variance +=
          std::pow(average_of(ensemble(phi, members, samples, 100 + static_cast<std::uint64_t>(seed))).standard_error,
                   2) /
          seeds;
    const double exact = variance_of_mean(phi, static_cast<double>(samples)) / members;
    const double freedom = members < fewest_members ? 16.0 * members : members - 1.0;
    EXPECT_NEAR(variance / exact, 1, 3.89 * std::sqrt(2 / (seeds * freedom))) << members;
  }
}

TEST(Average, CountsEffectiveSamples) {
  const double phi = 0.9;
  const Average a = average_of(ensemble(phi, 400, 4000, 13));
  const double exact = 400 / variance_of_mean(phi, 4000);
  EXPECT_NEAR(a.effective_samples / exact, 1, 3.89 * std::sqrt(2.0 / 399));  // false-alarm rate 1e-4
  EXPECT_EQ(a.degrees_of_freedom, 399);
}

TEST(Average, ReportsAnUnresolvedAutocorrelationTime) {
  const Average a = average_of(ensemble(0.999, 16, 1000, 14));  // a member is as long as τ
  EXPECT_FALSE(a.autocorrelation_resolved);
  EXPECT_FALSE(average_of(ensemble(0.999, 1, 1000, 14)).autocorrelation_resolved);
}

TEST(Average, KeepsItsPrecisionWithALargeOffset) {
  for (const std::uint32_t members : {3u, 16u}) {
    auto plain = ensemble(0.5, members, 5003, 15), moved = plain;
    for (auto& series : moved)
      for (double& x : series) x += 1e8;
    const Average a = average_of(plain), b = average_of(moved);
    EXPECT_NEAR(b.mean - 1e8, a.mean, 5e-8);  // the spacing of doubles is 1.5e-8 there
    EXPECT_NEAR(b.standard_deviation, a.standard_deviation, 1e-7);
    EXPECT_NEAR(b.standard_error / a.standard_error, 1, 1e-5);
    EXPECT_NEAR(b.autocorrelation_time / a.autocorrelation_time, 1, 1e-6);
  }
}

TEST(Average, OfAConstantHasNoError) {
  for (const std::uint32_t members : {1u, 4u, 20u})
    for (const std::uint64_t samples : {1u, 20u, 5000u}) {
      if (members * samples == 1) continue;
      const Average a = average_of(std::vector(members, std::vector<double>(samples, 2.7)));
      EXPECT_EQ(a.mean, 2.7);
      EXPECT_NEAR(a.standard_error, 0, 1e-15);
      EXPECT_NEAR(a.standard_deviation, 0, 1e-15);
      EXPECT_EQ(a.autocorrelation_time, 0);
      EXPECT_TRUE(a.autocorrelation_resolved);
      EXPECT_TRUE(std::isfinite(a.effective_samples));
    }
}

TEST(Average, OfASingleSampleHasAnInfiniteInterval) {
  const Average a = average_of({{1.5}});
  EXPECT_EQ(a.mean, 1.5);
  EXPECT_EQ(a.half_width(0.95), std::numeric_limits<double>::infinity());
}

TEST(Average, OfMembersWithOneSampleEachHasTheTextbookError) {
  const Average a = average_of({{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}});
  EXPECT_DOUBLE_EQ(a.mean, 5);
  EXPECT_DOUBLE_EQ(a.standard_error, std::sqrt(7.5 / 9));
  EXPECT_NEAR(a.half_width(0.95), student_t_interval(0.95, 8) * a.standard_error, 1e-12);
}

TEST(Average, OfAnIndicatorIsItsProbability) {
  auto members = ensemble(0.7, 64, 5000, 16);
  for (auto& series : members)
    for (double& x : series) x = x > 2;
  const Average a = average_of(members);
  const double exact = 0.5 * std::erfc(2 / std::sqrt(2.0));
  EXPECT_NEAR(a.mean, exact, a.half_width(1 - 1e-4));
  EXPECT_NEAR(a.standard_deviation, std::sqrt(a.mean * (1 - a.mean)), 1e-12);
}

TEST(Average, OfFloatsAgreesWithThatOfDoubles) {
  std::vector<std::vector<float>> members;
  for (const auto& series : ensemble(0.5, 16, 5000, 17)) members.emplace_back(series.begin(), series.end());
  const Average a = average("A", member_sums(members), 1, group_of(5000));
  EXPECT_NEAR(a.mean, average_of(ensemble(0.5, 16, 5000, 17)).mean, 1e-7);
}

/// Averages over members of two quantities, B = 0.6 A + 0.8 C with independent A and C.
std::vector<std::vector<double>> correlated_units(std::size_t members, std::uint64_t seed) {
  const codegen::Stream stream(seed, codegen::Purpose::test, 0);
  std::vector<std::vector<double>> units(2);
  for (std::size_t unit = 0; unit < members; ++unit) {
    units[0].push_back(3 + stream.normal(2 * unit));
    units[1].push_back(-1 + 0.6 * (units[0].back() - 3) + 0.8 * stream.normal(2 * unit + 1));
  }
  return units;
}

std::vector<Average> averages_of(const std::vector<std::vector<double>>& units, double standard_error) {
  std::vector<Average> result;
  for (const std::vector<double>& row : units) {
    double sum = 0;
    for (const double value : row) sum += value;
    result.emplace_back();
    result.back().mean = sum / static_cast<double>(row.size());
    result.back().standard_error = standard_error * static_cast<double>(result.size());
  }
  return result;
}

TEST(CovarianceOfMeans, HasTheStandardErrorsAndTheCorrelationsOfTheUnits) {
  const auto units = correlated_units(2000, 21);
  const std::vector<double> found = covariance_of_means(averages_of(units, 0.1), units);
  EXPECT_DOUBLE_EQ(found[0], 0.01);
  EXPECT_DOUBLE_EQ(found[3], 0.04);
  EXPECT_EQ(found[1], found[2]);
  // The correlation of 2000 pairs is known to (1 − 0.36)/√2000; 4 of these: a false-alarm rate of 6e-5.
  EXPECT_NEAR(found[1] / 0.02, 0.6, 4 * 0.64 / std::sqrt(2000.0));
}

TEST(CovarianceOfMeans, IgnoresUnitsThatAreNotFinite) {
  auto units = correlated_units(50, 22);
  const std::vector<Average> averages = averages_of(units, 0.1);
  const std::vector<double> before = covariance_of_means(averages, units);
  units[0].push_back(std::nan(""));
  units[1].push_back(1e9);
  EXPECT_EQ(covariance_of_means(averages, units), before);
}

TEST(CovarianceOfMeans, OfOneQuantityTwiceIsSingularAndOfAConstantIsZero) {
  auto units = correlated_units(50, 23);
  units[1] = units[0];
  const std::vector<double> twice = covariance_of_means(averages_of(units, 0.1), units);
  EXPECT_NEAR(twice[0] * twice[3] - twice[1] * twice[2], 0, 1e-15);
  units[1].assign(50, 2.0);
  std::vector<Average> averages = averages_of(units, 0.1);
  averages[1].standard_error = 0;
  const std::vector<double> constant = covariance_of_means(averages, units);
  EXPECT_EQ(constant[1], 0);
  EXPECT_EQ(constant[3], 0);
  EXPECT_TRUE(covariance_of_means({}, {}).empty());
}

TEST(RestorePlain, RevertsAReplacement) {
  std::vector<Average> averages(2);
  averages[1].mean = 2;
  averages[1].standard_error = 0.1;
  averages[1].standard_deviation = 3;
  averages[1].plain = {2.5, 0.3};
  std::vector<double> covariance{1, 0.05, 0.05, 0.01};
  restore_plain(averages, covariance, 0);
  EXPECT_EQ(covariance[1], 0.05);
  restore_plain(averages, covariance, 1);
  EXPECT_EQ(averages[1].mean, 2.5);
  EXPECT_EQ(averages[1].standard_error, 0.3);
  EXPECT_FALSE(averages[1].plain);
  EXPECT_NEAR(averages[1].effective_samples, 100, 1e-9);
  EXPECT_EQ(covariance, (std::vector<double>{1, 0, 0, 0.3 * 0.3}));
}

}  // namespace
}  // namespace gfdt::statistics

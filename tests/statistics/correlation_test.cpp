#include "gfdt/statistics/correlation.hpp"

#include <gtest/gtest.h>

#include "gfdt/statistics/distribution.hpp"
#include "series.hpp"

namespace gfdt::statistics {
namespace {

using Sums = LaggedProducts::Sums;

template <class T>
std::vector<Sums> products(const std::vector<T>& series, int lags) {
  LaggedProducts products(1, 1, {{0, 0}}, lags);
  products.add(series.data(), series.size());
  std::vector<Sums> result;
  for (int lag = 0; lag < lags; ++lag) result.push_back(products.sums(0, lag, 0));
  return result;
}

LaggedCorrelation correlation(const std::vector<std::vector<double>>& members, int lags) {
  std::vector<std::vector<Sums>> sums;
  for (const auto& series : members) sums.push_back(products(series, lags));
  return lagged_correlation(sums, 0.1);
}

// C(n) = φⁿ. The largest of 60 deviations exceeds the bound with probability 1e-4 (Bonferroni).
TEST(LaggedCorrelation, OfAnAutoregressiveSeriesIsExactWithinItsBandsAtAllLags) {
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

// 95 % intervals at each lag hold the truth in 95 % of 1000 runs, to 4.42 binomial deviations: 1e-5 a lag.
TEST(LaggedCorrelation, HasBandsOfTheStatedCoverage) {
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

TEST(LaggedCorrelation, TakesTheFirstOfAPairLater) {
  std::vector<std::vector<Sums>> forward(1), backward(1);
  const std::vector<double> cause{1, -1, -1, 1, 1, 1, -1, 1};
  std::vector<double> values;
  for (std::size_t t = 0; t < cause.size(); ++t) {
    values.push_back(t >= 2 ? cause[t - 2] : 0);  // the effect follows two samples later
    values.push_back(cause[t]);
  }
  LaggedProducts products(2, 1, {{0, 1}, {1, 0}}, 4);
  products.add(values.data(), cause.size());
  const Sums at_two = products.sums(0, 2, 0);
  EXPECT_EQ(at_two.count, 6);
  for (int lag = 0; lag < 4; ++lag) {
    forward[0].push_back(products.sums(0, lag, 0));
    backward[0].push_back(products.sums(1, lag, 0));
  }
  const double mean = 1.0 / 3;  // of the first six causes
  EXPECT_NEAR(lagged_correlation(forward, 1).value[2], 1 - mean * mean, 1e-12);
  EXPECT_LT(lagged_correlation(backward, 1).value[2], 0.5);
}

TEST(LaggedProducts, DoNotDependOnHowSamplesAreHandedOver) {
  constexpr int quantities = 2, lanes = 3, samples = 500, lags = 17;
  const std::vector<double> values = autoregressive(0.6, quantities * lanes * samples, 22);
  LaggedProducts at_once(quantities, lanes, {{0, 1}, {1, 1}}, lags), in_pieces(at_once);
  at_once.add(values.data(), samples);
  for (std::uint64_t done = 0, piece = 1; done < samples; done += piece) {
    piece = std::min<std::uint64_t>(1 + done % 29, samples - done);
    in_pieces.add(values.data() + done * quantities * lanes, piece);
  }
  for (std::size_t pair : {0, 1})
    for (int lag = 0; lag < lags; ++lag)
      for (int lane = 0; lane < lanes; ++lane) {
        const Sums a = at_once.sums(pair, lag, lane), b = in_pieces.sums(pair, lag, lane);
        EXPECT_EQ(a.count, b.count);
        EXPECT_EQ(a.product, b.product);
        EXPECT_EQ(a.a, b.a);
        EXPECT_EQ(a.b, b.b);
      }
}

TEST(LaggedProducts, OfFloatsAreThoseOfTheSameDoubles) {
  std::vector<float> floats;
  for (const double x : autoregressive(0.5, 300, 23)) floats.push_back(static_cast<float>(x));
  const auto a = products(floats, 5), b = products(std::vector<double>(floats.begin(), floats.end()), 5);
  for (std::size_t lag = 0; lag < 5; ++lag) EXPECT_EQ(a[lag].product, b[lag].product);
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

TEST(LaggedCorrelation, IsUnknownPastTheLengthOfTheSeries) {
  const auto result = correlation(ensemble(0.5, 9, 5, 25), 8);
  EXPECT_TRUE(std::isfinite(result.value[4]));
  for (std::size_t lag = 5; lag < 8; ++lag) EXPECT_TRUE(std::isnan(result.value[lag])) << lag;
  EXPECT_TRUE(lagged_correlation({}, 1).value.empty());
}

}  // namespace
}  // namespace gfdt::statistics

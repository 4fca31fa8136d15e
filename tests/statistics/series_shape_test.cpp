#include "gfdt/statistics/series/series_shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "series.hpp"

namespace gfdt::statistics {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

TEST(SeriesShape, QuantilesExceedAFurtherValueWithTheirProbability) {
  const std::vector<double> values{1, 2, 3, 4};  // one more value lies below the k-th with probability k/5
  EXPECT_DOUBLE_EQ(sorted_quantile(values, 0.2), 1);
  EXPECT_DOUBLE_EQ(sorted_quantile(values, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(sorted_quantile(values, 0.8), 4);
  EXPECT_DOUBLE_EQ(sorted_quantile(values, 0.01), 1);
  EXPECT_DOUBLE_EQ(sorted_quantile(values, 0.99), 4);
  EXPECT_DOUBLE_EQ(sorted_quantile(std::vector<double>{7}, 0.3), 7);
}

TEST(SeriesShape, ADensityIsTheMeanOfItsKernels) {
  const std::vector<double> values{0.3, none, -1.1, 0.3};
  constexpr double width = 0.4;
  const std::vector<double> found = kernel_density(values, -4, 4, 81, width);
  const auto kernel = [](double x) { return std::exp(-0.5 * x * x / width / width) / width / std::sqrt(2 * M_PI); };
  double total = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double x = -4 + 0.1 * static_cast<double>(i);
    // Distributing a value to two bins of a quarter of a bandwidth widens the kernel by less than a hundredth.
    EXPECT_NEAR(found[i], (2 * kernel(x - 0.3) + kernel(x + 1.1)) / 3, 0.01) << x;
    total += 0.1 * found[i];
  }
  EXPECT_NEAR(total, 1, 1e-3);
}

TEST(SeriesShape, BandwidthsFollowTheBulkAndNotTheTails) {
  std::vector<double> values = autoregressive(0, 2000, 3);
  const double width = kernel_bandwidth(values);
  EXPECT_NEAR(width, 0.9 * std::pow(2000, -0.2),
              0.05 * width);  // the standard deviation of 2000 values is known to 1.6 %
  values[0] = 1e6;
  values[1] = none;
  EXPECT_NEAR(kernel_bandwidth(values), width, 0.01 * width);
  EXPECT_EQ(kernel_bandwidth(std::vector<double>{2, 2, none, 2}), 0);
  EXPECT_EQ(kernel_bandwidth(std::vector<double>{}), 0);
}

// φ^k with a standard error of about √(2τ/n) = 0.013 each: four of them, at four lags, give a false-alarm rate of 3e-4.
TEST(SeriesShape, AutocorrelationOfAnAutoregressiveSeriesIsExponential) {
  std::vector<double> series = autoregressive(0.6, 20000, 5);
  const std::vector<std::size_t> lags{0, 1, 2, 5};
  for (const bool gaps : {false, true}) {
    if (gaps)
      for (std::size_t row = 0; row < series.size(); row += 3) series[row] = none;
    const std::vector<double> found = autocorrelation(series, lags);
    for (std::size_t i = 0; i < lags.size(); ++i)
      EXPECT_NEAR(found[i], std::pow(0.6, static_cast<double>(lags[i])), 4 * 0.017) << lags[i];
    EXPECT_DOUBLE_EQ(found[0], 1);
  }
  const std::vector<double> constant(10, 3.0), short_one{1, 2};
  EXPECT_EQ(autocorrelation(constant, lags)[1], 0);
  EXPECT_TRUE(std::isnan(autocorrelation(short_one, lags)[2]));
}

}  // namespace
}  // namespace gfdt::statistics

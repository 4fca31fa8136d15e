#include "gfdt/jacobian/correlation/lag_bins.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gfdt/base/philox.hpp"
#include "gfdt/jacobian/correlation/correlations.hpp"

namespace gfdt::jacobian {
namespace {

/// Two later rows (1 and A), a monitored row W, three earlier rows (1, g, h), all random; 1 and g at every sample.
struct Series {
  SignalShape shape{.later = 2, .monitored = 1, .earlier = 3, .lanes = 8};
  std::size_t samples;
  codegen::AlignedArray<double> later, earlier;

  explicit Series(std::size_t count, std::size_t stride = 1)
      : samples(count), later(count * 3 * 8), earlier(count * 3 * 8) {
    const codegen::Stream stream(3, codegen::Purpose::sampling, 5);
    for (std::size_t s = 0; s < count; ++s)
      for (std::size_t lane = 0; lane < 8; ++lane) {
        const std::uint64_t at = (s * 8 + lane) * 4;
        const bool origin = s % stride == 0;
        later[(s * 3 + 0) * 8 + lane] = 1;
        later[(s * 3 + 1) * 8 + lane] = 0.3 + stream.normal(at);
        later[(s * 3 + 2) * 8 + lane] = stream.normal(at + 1);
        earlier[(s * 3 + 0) * 8 + lane] = origin ? 1 : 0;
        earlier[(s * 3 + 1) * 8 + lane] = origin ? stream.normal(at + 2) - 0.2 : 0;
        earlier[(s * 3 + 2) * 8 + lane] = origin ? stream.normal(at + 3) : 0;
      }
  }
  double a(std::size_t row, std::size_t s, std::size_t lane) const { return later[(s * 3 + row) * 8 + lane]; }
  double g(std::size_t row, std::size_t s, std::size_t lane) const { return earlier[(s * 3 + row) * 8 + lane]; }
};

/// Σ a(n) g(n′) over n ≥ n′ whose bins are `node` apart, half of it where n = n′.
double direct(const Series& series, std::size_t later, std::size_t earlier, std::size_t lane, std::size_t node,
              std::size_t bin) {
  double total = 0;
  for (std::size_t n = 0; n < series.samples; ++n)
    for (std::size_t other = 0; other <= n; ++other)
      if (n / bin - other / bin == node)
        total += (n == other ? 0.5 : 1) * series.a(later, n, lane) * series.g(earlier, other, lane);
  return total;
}

std::vector<LagSums> sums_of(const Series& series, const LagBins& bins, std::size_t piece) {
  LagProducts products(series.shape, bins);
  for (std::size_t s = 0; s < series.samples; s += piece)
    products.add(series.later.data() + s * 24, series.earlier.data() + s * 24, std::min(piece, series.samples - s));
  return products.finish();
}

double product(const LagSums& sums, const SignalShape& shape, std::size_t node, std::size_t later,
               std::size_t earlier) {
  return sums
      .products[(node * static_cast<std::size_t>(shape.later) + later) * static_cast<std::size_t>(shape.earlier) +
                earlier];
}

class LagProductsOfBins : public testing::TestWithParam<int> {};

TEST_P(LagProductsOfBins, AreThoseOfSamplesInBinsThatFarApart) {
  const int k = GetParam();
  const LagBins bins{.samples = k, .bins = 5, .interval = 1};
  const Series series(static_cast<std::size_t>(40 * k));
  const std::vector<LagSums> sums = sums_of(series, bins, 7);
  for (std::size_t lane : {0u, 3u, 7u})
    for (std::size_t node = 0; node <= 5; ++node)
      for (std::size_t later : {0u, 1u})
        for (std::size_t earlier : {0u, 1u, 2u})
          EXPECT_NEAR(product(sums[lane], series.shape, node, later, earlier),
                      direct(series, later, earlier, lane, node, static_cast<std::size_t>(k)), 1e-9 * k)
              << "lane " << lane << " node " << node << " pair " << later << "," << earlier;
}

/// The number of pairs at each lag that a node holds is its hat function: with A(n) = [n = m] in turn, products count.
TEST(LagProducts, WeightLagsByHatFunctions) {
  constexpr std::size_t k = 4, samples = 400;
  const LagBins bins{.samples = k, .bins = 3, .interval = 1};
  std::vector<double> held(14, 0.0);  // by lag, of node 1
  for (std::size_t bin = 20; bin < 21; ++bin)
    for (std::size_t n = bin * k; n < (bin + 1) * k; ++n) {
      Series series(samples);
      for (std::size_t i = 0; i < series.later.size(); ++i) series.later[i] = 0;
      series.later[(n * 3 + 1) * 8] = 1;
      for (std::size_t lag = 0; lag < held.size(); ++lag) {
        for (std::size_t s = 0; s < samples; ++s) series.earlier[(s * 3 + 1) * 8] = s + lag == n ? 1 : 0;
        held[lag] += product(sums_of(series, bins, samples)[0], series.shape, 1, 1, 1);
      }
    }
  for (std::size_t lag = 0; lag < held.size(); ++lag) {
    const double distance = std::abs(static_cast<double>(lag) - k);
    EXPECT_DOUBLE_EQ(held[lag], std::max(0.0, k - distance)) << lag;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, LagProductsOfBins, testing::Values(1, 2, 8));

TEST(LagProducts, DoNotDependOnHowSamplesAreHandedOver) {
  const LagBins bins{.samples = 4, .bins = 9, .interval = 1};
  const Series series(400);
  const std::vector<LagSums> at_once = sums_of(series, bins, 400), in_pieces = sums_of(series, bins, 3);
  for (std::size_t lane = 0; lane < 8; ++lane) {
    EXPECT_EQ(at_once[lane].bins, 100u);
    for (std::size_t i = 0; i < at_once[lane].products.size(); ++i)
      EXPECT_NEAR(at_once[lane].products[i], in_pieces[lane].products[i], 1e-10);
  }
}

TEST(LagProducts, KeepSquaresOfBinsAndSums) {
  const LagBins bins{.samples = 4, .bins = 3, .interval = 1};
  const Series series(40);
  const LagSums sums = sums_of(series, bins, 40)[2];
  double total = 0, lagged = 0;
  std::vector<double> bin(10, 0.0);
  for (std::size_t s = 0; s < 40; ++s) {
    total += series.a(2, s, 2);
    bin[s / 4] += series.a(2, s, 2);
  }
  for (std::size_t b = 2; b < 10; ++b) lagged += bin[b] * bin[b - 2];
  EXPECT_NEAR(sums.later_sum[2], total, 1e-12);
  EXPECT_NEAR(sums.squares[2 * 3 + 2], lagged, 1e-12);
  EXPECT_DOUBLE_EQ(sums.earlier_sum[0], 40);
}

TEST(LagProducts, StartAfreshAfterASegment) {
  const LagBins bins{.samples = 2, .bins = 4, .interval = 1};
  const Series series(64);
  LagProducts products(series.shape, bins);
  products.add(series.later.data(), series.earlier.data(), 64);
  const std::vector<LagSums> first = products.finish();
  products.add(series.later.data(), series.earlier.data(), 64);
  const std::vector<LagSums> second = products.finish();
  for (std::size_t lane = 0; lane < 8; ++lane) EXPECT_EQ(first[lane].products, second[lane].products);
}

TEST(Bins, ReachTheLongestLag) {
  const LagBins fine = bins_reaching(0.2, 0.01), coarse = bins_reaching(40, 0.01);
  EXPECT_EQ(fine.samples, 1);
  EXPECT_EQ(fine.bins, 20);
  EXPECT_EQ(coarse.samples, 64);
  EXPECT_GE(coarse.longest(), 40 - 1e-9);
  EXPECT_LT(coarse.longest(), 40 + coarse.width());
}

/// The estimate with sparse conjugates is an average over those that there are: one sample in three here.
TEST(Correlations, OfSparseConjugatesAverageOverThoseThatThereAre) {
  const LagBins bins{.samples = 4, .bins = 3, .interval = 0.5};
  const Series series(400, 3);
  const std::vector<LagSums> lanes = sums_of(series, bins, 400);
  const Correlations correlations(series.shape, bins, lanes);
  const Weights weights{1, 1, 0.5, 0};
  double mean_a = 0, mean_g = 0, count = 0;
  for (std::size_t lane = 0; lane < 8; ++lane)
    for (std::size_t s = 0; s < 400; ++s) {
      mean_a += series.a(1, s, lane) / 3200;
      mean_g += series.g(1, s, lane);
      count += series.g(0, s, lane);
    }
  mean_g /= count;
  double expected = 0;
  for (std::size_t node = 0; node < 3; ++node) {
    double total = 0, origins = 0;
    for (std::size_t lane = 0; lane < 8; ++lane) {
      total += direct(series, 1, 1, lane, node, 4) - mean_a * direct(series, 0, 1, lane, node, 4) -
               mean_g * direct(series, 1, 0, lane, node, 4) + mean_a * mean_g * direct(series, 0, 0, lane, node, 4);
      for (std::size_t s = 0; s + 4 * node < 400; ++s)
        if (s / 4 + node < 100) origins += series.g(0, s, lane);
    }
    expected += 0.5 * weights[node] * total / origins;
  }
  EXPECT_NEAR(correlations.integral(1, 1, 0, weights).value, expected, 1e-10);
  // The groups' contributions beyond their shares add up to nothing.
  double sum = 0;
  for (const double influence : correlations.between(1, 1, 0).influences(weights)) sum += influence;
  EXPECT_NEAR(sum, 0, 1e-12);
}

}  // namespace
}  // namespace gfdt::jacobian

// Histogram, tails and moments of a billion normals. The seed is fixed. For a random seed, a correct generator would
// fail each check with probability 1e-6.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "gfdt/codegen/random/normals.hpp"

namespace gfdt::codegen {
namespace {

constexpr std::size_t streams = 64, blocks = 16, batch = streams * 4 * blocks;
constexpr double deviations = 4.892;  // P(|Z| > 4.892) = 1e-6

struct alignas(64) Batch {
  float values[batch];
};

template <class Consume>
void for_each_batch(std::uint64_t count, Consume consume) {
  static Batch numbers;
  std::array<std::uint32_t, streams> ids;
  for (std::uint32_t i = 0; i < streams; ++i) ids[i] = i;
  for (std::uint64_t i = 0; i < count; ++i) {
    fill_normals(numbers.values, ids, 20240607, Purpose::noise, i * blocks);
    consume(numbers.values);
  }
}

double beyond(double z) { return std::erfc(z / std::numbers::sqrt2); }
double below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

/// Probability, up to a factor of two, of a Poisson count at least as far from its mean.
double poisson_tail(double count, double mean) {
  if (mean > 500) return std::erfc(std::abs(count - mean) / std::sqrt(2 * mean));
  double lower = 0, term = std::exp(-mean);
  for (double k = 0; k <= count; ++k, term *= mean / k) lower += term;
  const double at_count = term * count / mean;
  return 2 * std::min(lower, 1 - lower + at_count);
}

class Histogram {
 public:
  static constexpr int resolution = 64, reach = 7, bins = 2 * reach * resolution;

  void add(const float* values) {
    for (std::size_t i = 0; i < batch; i += 4)
      for (std::size_t table = 0; table < 4; ++table)
        ++counts_[table][static_cast<std::size_t>(values[i + table] * resolution + reach * resolution)];
    total_ += batch;
  }
  /// Number of values between two multiples of 1/resolution.
  double between(double low, double high) const {
    double sum = 0;
    const auto first = static_cast<std::size_t>((low + reach) * resolution);
    const auto last = static_cast<std::size_t>((high + reach) * resolution);
    for (const auto& table : counts_)
      for (std::size_t bin = first; bin < last; ++bin) sum += static_cast<double>(table[bin]);
    return sum;
  }
  double total() const { return static_cast<double>(total_); }

 private:
  std::array<std::array<std::uint64_t, bins>, 4> counts_{};
  std::uint64_t total_ = 0;
};

TEST(Normals, FollowTheNormalDistributionFarIntoTheTails) {
  Histogram histogram;
  for_each_batch(1'000'000'000 / batch, [&](const float* values) { histogram.add(values); });
  const double total = histogram.total();

  for (const double z : {1.0, 2.0, 3.0, 4.0, 4.5, 5.0, 5.5}) {
    const double upper = histogram.between(z, 7), lower = histogram.between(-7, -z);
    EXPECT_GT(poisson_tail(upper, total * beyond(z) / 2), 1e-6) << upper << " beyond " << z;
    EXPECT_GT(poisson_tail(lower, total * beyond(z) / 2), 1e-6) << lower << " beyond −" << z;
  }

  // 198 bins of width 1/32 and the two tails.
  const auto cell = [&](double low, double high, double probability) {
    const double expected = total * probability, seen = histogram.between(low, high);
    return (seen - expected) * (seen - expected) / expected;
  };
  constexpr double edge = 99.0 / 32;
  double chi_square = cell(-7, -edge, below(-edge)) + cell(edge, 7, below(-edge));
  for (int i = -99; i < 99; ++i) chi_square += cell(i / 32.0, (i + 1) / 32.0, below((i + 1) / 32.0) - below(i / 32.0));
  EXPECT_LT(chi_square, 308.8) << "exceeded with probability 1e-6 at 199 degrees of freedom";
  EXPECT_GT(chi_square, 116.0) << "fallen short of with probability 1e-6";
}

TEST(Normals, HaveTheMomentsOfTheNormalDistributionToOrderEight) {
  std::array<double, 9> sum{};
  std::uint64_t count = 0;
  for_each_batch(200'000'000 / batch, [&](const float* values) {
    std::array<double, 9> part{};
    for (std::size_t i = 0; i < batch; ++i) {
      const double x = values[i], x2 = x * x, x4 = x2 * x2;
      part[1] += x, part[2] += x2, part[3] += x * x2, part[4] += x4;
      part[5] += x * x4, part[6] += x2 * x4, part[7] += x * x2 * x4, part[8] += x4 * x4;
    }
    for (std::size_t order = 1; order <= 8; ++order) sum[order] += part[order];
    count += batch;
  });
  // E x^k = (k − 1)!! for even k; the variance of the mean of x^k is (E x^2k − (E x^k)²) / n.
  const auto moment = [](int order) {
    double value = order % 2 == 0 ? 1 : 0;
    for (int factor = order - 1; factor > 1; factor -= 2) value *= factor;
    return value;
  };
  for (int order = 1; order <= 8; ++order) {
    const double expected = moment(order);
    const double error = std::sqrt((moment(2 * order) - expected * expected) / static_cast<double>(count));
    EXPECT_NEAR(sum[static_cast<std::size_t>(order)] / static_cast<double>(count), expected, deviations * error)
        << "order " << order;
  }
}

}  // namespace
}  // namespace gfdt::codegen

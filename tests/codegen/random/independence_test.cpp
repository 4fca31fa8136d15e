// Correlations of normals, of their squares and of signs between neighbouring members, steps, seeds and purposes. The
// seeds are fixed; for a random seed, each correlation would exceed its threshold with probability 1e-6.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "gfdt/codegen/random/normals.hpp"

namespace gfdt::codegen {
namespace {

constexpr std::size_t streams = 64, rows = 4 * 8192, total = streams * rows;
constexpr double deviations = 4.892;  // P(|Z| > 4.892) = 1e-6

struct alignas(64) Line {
  float values[16];
};

class Sample {
 public:
  using Fill = void(std::span<float>, std::span<const std::uint32_t>, std::uint64_t, Purpose, std::uint64_t,
                    lanes::Isa);

  Sample(Fill* fill, std::uint64_t seed, Purpose purpose, std::uint32_t first_id = 0) : lines_(total / 16) {
    std::vector<std::uint32_t> ids(streams);
    std::iota(ids.begin(), ids.end(), first_id);
    fill(std::span(lines_.front().values, total), ids, seed, purpose, 0, lanes::best_isa());
  }
  double at(std::size_t row, std::size_t lane) const { return lines_.front().values[row * streams + lane]; }

 private:
  std::vector<Line> lines_;
};

/// Requires no correlation between a[row, lane] and b[row + down, lane + right] or between their squares. The products
/// have mean 0 and variance 1.
void expect_independent(const Sample& a, const Sample& b, std::size_t down, std::size_t right, bool squares = true) {
  double linear = 0, square = 0, mixed = 0;
  for (std::size_t row = 0; row + down < rows; ++row) {
    for (std::size_t lane = 0; lane + right < streams; ++lane) {
      const double x = a.at(row, lane), y = b.at(row + down, lane + right);
      linear += x * y;
      square += (x * x - 1) * (y * y - 1) / 2;
      mixed += x * (y * y - 1) / std::sqrt(2.0);
    }
  }
  const double bound = deviations * std::sqrt(static_cast<double>((rows - down) * (streams - right)));
  EXPECT_LT(std::abs(linear), bound) << down << " rows and " << right << " lanes apart";
  if (!squares) return;
  EXPECT_LT(std::abs(square), bound) << "squares " << down << " rows and " << right << " lanes apart";
  EXPECT_LT(std::abs(mixed), bound) << "mixed " << down << " rows and " << right << " lanes apart";
}

TEST(Independence, OfNeighbouringMembers) {
  const Sample sample(fill_normals, 1, Purpose::noise);
  for (const std::size_t right : {1, 2, 3, 8, 16, 32}) expect_independent(sample, sample, 0, right);
}

TEST(Independence, OfNeighbouringSteps) {
  const Sample sample(fill_normals, 2, Purpose::noise);
  for (const std::size_t down : {1, 2, 3, 4, 5, 8, 12, 16}) expect_independent(sample, sample, down, 0);
  expect_independent(sample, sample, 4, 1);
}

TEST(Independence, OfDistantMembers) {
  const Sample sample(fill_normals, 3, Purpose::noise);
  for (const std::uint32_t id : {1u << 8, 1u << 16, 1u << 31})
    expect_independent(sample, Sample(fill_normals, 3, Purpose::noise, id), 0, 0);
}

TEST(Independence, OfNeighbouringSeeds) {
  const Sample sample(fill_normals, 4, Purpose::noise);
  for (const std::uint64_t seed : {std::uint64_t{5}, std::uint64_t{6}, (std::uint64_t{1} << 32) + 4})
    expect_independent(sample, Sample(fill_normals, seed, Purpose::noise), 0, 0);
}

TEST(Independence, OfPurposes) {
  const Sample sample(fill_normals, 7, Purpose::noise);
  for (const Purpose purpose : {Purpose::initial, Purpose::sampling, Purpose::signs})
    expect_independent(sample, Sample(fill_normals, 7, purpose), 0, 0);
}

TEST(Independence, OfSigns) {
  const Sample sample(fill_signs, 8, Purpose::signs);
  for (const std::size_t down : {1, 2, 4, 31, 32, 96, 128}) expect_independent(sample, sample, down, 0, false);
  for (const std::size_t right : {1, 2, 16}) expect_independent(sample, sample, 0, right, false);
  double sum = 0;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t lane = 0; lane < streams; ++lane) sum += sample.at(row, lane);
  EXPECT_LT(std::abs(sum), deviations * std::sqrt(static_cast<double>(total)));
}

}  // namespace
}  // namespace gfdt::codegen

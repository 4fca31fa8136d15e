#include "gfdt/statistics/series/series_sums.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "series.hpp"

namespace gfdt::statistics {
namespace {

double mean(const std::vector<double>& v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

class Lengths : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Lengths, IncludeEverySample) {
  const std::vector<double> series = autoregressive(0.5, GetParam(), 1);
  const MemberSums sums = member_sums<double>({series})[0];
  EXPECT_EQ(sums.samples, series.size());
  EXPECT_NEAR(sums.mean(), mean(series), 1e-12);
  std::uint64_t counted = 0;
  for (const std::uint64_t count : sums.part_count) counted += count;
  EXPECT_EQ(counted, series.size());
  double square = 0;
  for (const double x : series) square += (x - series[0]) * (x - series[0]);
  EXPECT_NEAR(sums.square, square, 1e-9 * square);
}

TEST_P(Lengths, DivideTheTimeIntoNearlyEqualParts) {
  if (GetParam() < parts_per_member) return;
  const MemberSums sums = member_sums<double>({autoregressive(0, GetParam(), 1)})[0];
  const double share = static_cast<double>(GetParam()) / parts_per_member,
               group = static_cast<double>(group_of(GetParam()));
  for (int s = 0; s < parts_per_member; ++s)
    EXPECT_NEAR(static_cast<double>(sums.part_count[s]), share, 2 * group) << s;
}

TEST_P(Lengths, AverageBlocksOfEveryLevel) {
  const std::vector<double> series = autoregressive(0.5, GetParam(), 2);
  const MemberSums sums = member_sums<double>({series})[0];
  std::uint64_t block = group_of(GetParam());
  for (const MemberSums::Level& level : sums.levels) {
    ASSERT_EQ(level.count, series.size() / block);
    double sum = 0, square = 0;
    for (std::uint64_t b = 0; b < level.count; ++b) {
      const auto first = series.begin() + static_cast<std::ptrdiff_t>(b * block);
      const double v = mean({first, first + static_cast<std::ptrdiff_t>(block)}) - series[0];
      sum += v;
      square += v * v;
    }
    EXPECT_NEAR(level.sum, sum, 1e-10 * (1 + std::abs(sum)));
    EXPECT_NEAR(level.square, square, 1e-10 * (1 + square));
    block *= 2;
  }
  EXPECT_LT(series.size() / block, 1u);
}

INSTANTIATE_TEST_SUITE_P(Any, Lengths, testing::Values(1, 2, 7, 14, 15, 16, 100, 4095, 4096, 4097, 5003, 40001));

TEST(SeriesSums, DoNotDependOnHowSamplesAreBatched) {
  constexpr int quantities = 3, lanes = 4, samples = 5000;
  const std::vector<double> values = autoregressive(0.3, quantities * lanes * samples, 3);
  SeriesSums at_once(quantities, lanes, samples), in_pieces(quantities, lanes, samples);
  at_once.add(values.data(), samples);
  for (std::uint64_t done = 0, piece = 1; done < samples; done += piece) {
    piece = std::min<std::uint64_t>(1 + done % 37, samples - done);
    in_pieces.add(values.data() + done * quantities * lanes, piece);
  }
  for (int q = 0; q < quantities; ++q)
    for (int lane = 0; lane < lanes; ++lane) {
      const MemberSums a = at_once.member(q, lane), b = in_pieces.member(q, lane);
      EXPECT_EQ(a.mean(), b.mean());
      EXPECT_EQ(a.square, b.square);
      EXPECT_EQ(a.levels.back().sum, b.levels.back().sum);
      std::vector<double> alone;
      for (int s = 0; s < samples; ++s)
        alone.push_back(values[static_cast<std::size_t>((s * quantities + q) * lanes + lane)]);
      EXPECT_EQ(a.mean(), member_sums<double>({alone})[0].mean());
    }
}

TEST(SeriesSums, OfFloatsEqualThoseOfTheSameDoubles) {
  std::vector<float> floats;
  for (const double x : autoregressive(0.5, 5000, 4)) floats.push_back(static_cast<float>(x));
  const std::vector<double> doubles(floats.begin(), floats.end());
  EXPECT_EQ(member_sums<float>({floats})[0].mean(), member_sums<double>({doubles})[0].mean());
  EXPECT_EQ(member_sums<float>({floats})[0].square, member_sums<double>({doubles})[0].square);
}

}  // namespace
}  // namespace gfdt::statistics

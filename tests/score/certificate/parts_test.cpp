#include "gfdt/score/certificate/parts.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gfdt::score {
namespace {

Samples numbered(const std::vector<int>& group_sizes) {
  Samples samples;
  samples.names = {"x"};
  std::uint32_t group = 0;
  for (int size : group_sizes) {
    for (int i = 0; i < size; ++i) {
      samples.values.push_back(static_cast<double>(samples.group.size()));
      samples.group.push_back(group);
    }
    ++group;
  }
  return samples;
}

std::vector<std::size_t> sizes(const Parts& parts) {
  std::vector<std::size_t> result;
  std::size_t end = 0;
  for (const Part& part : parts.list) {
    EXPECT_EQ(part.begin, end) << "parts follow one another";
    result.push_back(part.size());
    end = part.end;
  }
  return result;
}

using Sizes = std::vector<std::size_t>;

TEST(Parts, AreTheGroupsIfThereAreNotTooMany) {
  const Parts parts = parts_of(numbered({3, 1, 4, 1, 5, 9, 2, 6}), 100);
  EXPECT_EQ(sizes(parts), (Sizes{3, 1, 4, 1, 5, 9, 2, 6}));
  EXPECT_TRUE(parts.independent);
}

TEST(Parts, JoinGroupsIntoPartsOfEqualSize) {
  const Parts parts = parts_of(numbered(std::vector<int>(1000, 5)), 100);
  EXPECT_EQ(sizes(parts), Sizes(100, 50));
}

TEST(Parts, DoNotDivideGroupsIfThereAreEnough) {
  const Samples samples = numbered({7, 1, 1, 12, 3, 3, 3, 9, 20, 1, 5});
  const Parts parts = parts_of(samples, 5);
  EXPECT_LE(parts.size(), 5u);
  EXPECT_EQ(parts.list.back().end, samples.size());
  for (const Part& part : parts.list)
    if (part.end < samples.size()) {
      EXPECT_NE(samples.group[part.end], samples.group[part.end - 1]);
    }
}

TEST(Parts, DivideFewGroupsIntoSegments) {
  const Parts parts = parts_of(numbered({160, 160}), 100);
  EXPECT_EQ(sizes(parts), Sizes(16, 20));
  EXPECT_FALSE(parts.independent);
  EXPECT_EQ(sizes(parts_of(numbered({5}), 100)), Sizes(5, 1));
}

TEST(Parts, ThinnedSamplesAreSpreadEvenly) {
  const Samples few = thinned(numbered({6, 6}), 4);
  EXPECT_EQ(few.values, (std::vector<double>{0, 3, 6, 9}));
  EXPECT_EQ(few.group, (std::vector<std::uint32_t>{0, 0, 1, 1}));
  EXPECT_EQ(thinned(numbered({6}), 10).size(), 6u);
}

TEST(Parts, RatioHasTheStandardErrorOfAMeanForPartsOfOneSize) {
  const std::vector<double> sums{1, 2, 3, 6}, counts(4, 1.0);
  const Ratio mean = ratio_over_parts(sums, counts);
  EXPECT_DOUBLE_EQ(mean.value, 3);
  EXPECT_DOUBLE_EQ(mean.standard_error, std::sqrt((4 + 1 + 0 + 9) / 3.0 / 4));
  EXPECT_TRUE(std::isnan(ratio_over_parts(std::vector<double>{1}, std::vector<double>{2}).standard_error));
}

}  // namespace
}  // namespace gfdt::score

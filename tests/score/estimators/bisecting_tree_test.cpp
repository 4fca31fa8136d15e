#include "gfdt/score/estimators/bisecting_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "gfdt/base/philox.hpp"

namespace gfdt::score {
namespace {

std::vector<float> normals(std::size_t count, std::uint32_t id = 0) {
  const codegen::Stream stream(3, codegen::Purpose::test, id);
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(stream.normal(i));
  return values;
}

std::vector<int> counts(const BisectingTree& tree, const std::vector<float>& points) {
  const auto d = static_cast<std::size_t>(tree.dimension());
  std::vector<int> result(static_cast<std::size_t>(tree.leaves()));
  for (std::size_t i = 0; i < points.size(); i += d) ++result.at(static_cast<std::size_t>(tree.leaf_of(&points[i])));
  return result;
}

TEST(BisectingTree, HasTheRequestedNumberOfNonemptyLeaves) {
  for (const int d : {1, 2, 3, 4, 7})
    for (const int leaves : {1, 2, 3, 50, 333}) {
      const std::vector<float> points = normals(static_cast<std::size_t>(4000 * d));
      const BisectingTree tree(points, d, leaves);
      ASSERT_EQ(tree.leaves(), leaves);
      ASSERT_GE(std::ranges::min(counts(tree, points)), 1) << d << " dimensions, " << leaves << " leaves";
    }
}

TEST(BisectingTree, LeavesHoldSimilarNumbersOfPoints) {
  const std::vector<float> points = normals(60000);
  const std::vector<int> held = counts(BisectingTree(points, 3, 100), points);
  EXPECT_LT(std::ranges::max(held), 3 * 200);
  EXPECT_GT(std::ranges::min(held), 200 / 4);
}

// 2-means cuts a symmetric distribution at its centre, and two clusters between them.
TEST(BisectingTree, CutsBetweenClustersOfAnySize) {
  std::vector<float> points = normals(3000);
  for (std::size_t i = 0; i < 2400; ++i) points[i] -= 20;
  const BisectingTree tree(points, 1, 2);
  const float far_left = -20, left = -12, right = -8, zero = 0;
  EXPECT_EQ(tree.leaf_of(&far_left), tree.leaf_of(&left));
  EXPECT_EQ(tree.leaf_of(&zero), tree.leaf_of(&right));
  EXPECT_NE(tree.leaf_of(&left), tree.leaf_of(&right));
}

TEST(BisectingTree, CutsPerpendicularToTheDirectionOfLargestVariance) {
  std::vector<float> points = normals(20000);
  for (std::size_t i = 0; i < points.size(); i += 2) {
    const float along = 5 * points[i], across = points[i + 1];
    points[i] = 0.6f * along - 0.8f * across;
    points[i + 1] = 0.8f * along + 0.6f * across;
  }
  const BisectingTree tree(points, 2, 2);
  const float ahead[2] = {0.6f, 0.8f}, behind[2] = {-0.6f, -0.8f}, beside[2] = {0.6f - 1.6f, 0.8f + 1.2f};
  EXPECT_NE(tree.leaf_of(ahead), tree.leaf_of(behind));
  EXPECT_EQ(tree.leaf_of(ahead), tree.leaf_of(beside));
}

TEST(BisectingTree, IdenticalPointsMakeOneLeaf) {
  const std::vector<float> same(900, 0.3f);
  EXPECT_EQ(BisectingTree(same, 3, 10).leaves(), 1);
  std::vector<float> two(same);
  two[450] = two[451] = two[452] = 0.4f;
  const BisectingTree tree(two, 3, 10);
  EXPECT_EQ(tree.leaves(), 2);
  EXPECT_NE(tree.leaf_of(&two[450]), tree.leaf_of(&two[0]));
}

TEST(BisectingTree, SeparatesPointsOneUnitOfRoundingApart) {
  std::vector<float> points(100, 1.0f);
  for (std::size_t i = 0; i < 40; ++i) points[i] = std::nextafter(1.0f, 2.0f);
  const BisectingTree tree(points, 1, 5);
  EXPECT_EQ(tree.leaves(), 2);
  EXPECT_NE(tree.leaf_of(&points[0]), tree.leaf_of(&points[99]));
}

TEST(BisectingTree, HasNoMoreLeavesThanDistinctPoints) {
  std::vector<float> points = normals(2000);
  for (float& x : points) x = std::round(x);
  const std::set<float> distinct(points.begin(), points.end());
  EXPECT_EQ(BisectingTree(points, 1, 500).leaves(), static_cast<int>(distinct.size()));
}

TEST(BisectingTree, BatchesAgreeWithSinglePoints) {
  for (const int d : {1, 2, 3, 4, 5, 8}) {
    const BisectingTree tree(normals(static_cast<std::size_t>(3000 * d)), d, 200);
    constexpr std::size_t count = 16 * 37, stride = count + 5;
    const std::vector<float> rows = normals(stride * static_cast<std::size_t>(d), 1);
    std::vector<std::int32_t> leaf(count);
    tree.leaves_of(rows.data(), stride, count, leaf.data());
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<float> x;
      for (int c = 0; c < d; ++c) x.push_back(rows[static_cast<std::size_t>(c) * stride + i]);
      ASSERT_EQ(leaf[i], tree.leaf_of(x.data()));
    }
  }
}

}  // namespace
}  // namespace gfdt::score

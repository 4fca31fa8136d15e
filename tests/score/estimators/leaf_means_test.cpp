#include "gfdt/score/estimators/leaf_means.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gfdt/base/philox.hpp"

namespace gfdt::score {
namespace {

std::vector<float> normals(std::size_t count) {
  const codegen::Stream stream(4, codegen::Purpose::test, 0);
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(stream.normal(i));
  return values;
}

TEST(LeafMeans, CountEveryPerturbedSampleOnce) {
  constexpr std::size_t count = 5003;
  const std::vector<float> samples = normals(3 * count);
  const LeafMeans means = leaf_means(BisectingTree(samples, 3, 40), samples, {.passes = 3, .tolerance = 0});
  EXPECT_EQ(means.passes, 3);
  EXPECT_FALSE(means.settled);
  EXPECT_EQ(std::accumulate(means.count.begin(), means.count.end(), 0.0), 2.0 * 3 * count);
}

// The sum of x̂ over all leaves is that of the samples; the sum of z is zero, because it occurs in pairs of opposite
// sign.
TEST(LeafMeans, PreserveTheMeanOfTheSamplesExactly) {
  constexpr std::size_t count = 4000;
  const std::vector<float> samples = normals(2 * count);
  const LeafMeans means = leaf_means(BisectingTree(samples, 2, 30), samples, {.noise = 0.3, .passes = 2});
  double sample = 0, centroid = 0, noise = 0;
  for (std::size_t i = 0; i < count; ++i) sample += static_cast<double>(samples[2 * i]) / count;
  for (std::size_t leaf = 0; leaf < means.count.size(); ++leaf) {
    centroid += means.count[leaf] * means.centroid[2 * leaf] / (4 * count);
    noise += means.count[leaf] * means.noise[2 * leaf] / (4 * count);
  }
  EXPECT_NEAR(centroid, sample, 1e-7);
  EXPECT_NEAR(noise, 0, 1e-12);
}

TEST(LeafMeans, AreTheSameOnAnyNumberOfThreads) {
  const std::vector<float> samples = normals(3 * 7001);
  const BisectingTree tree(samples, 3, 50);
  const LeafMeans one = leaf_means(tree, samples, {.passes = 3, .threads = 1});
  for (const int threads : {2, 3, 7}) {
    const LeafMeans many = leaf_means(tree, samples, {.passes = 3, .threads = threads});
    EXPECT_EQ(one.count, many.count);
    EXPECT_EQ(one.noise, many.noise);
    EXPECT_EQ(one.centroid, many.centroid);
    EXPECT_EQ(one.change, many.change);
  }
}

TEST(LeafMeans, StopWhenTheyHaveConverged) {
  const std::vector<float> samples = normals(20000);
  const BisectingTree tree(samples, 1, 10);
  const LeafMeans means = leaf_means(tree, samples, {.noise = 0.5, .passes = 50, .tolerance = 0.02});
  EXPECT_TRUE(means.settled);
  EXPECT_LT(means.passes, 50);
  EXPECT_LT(means.change, 0.02);
  EXPECT_GT(leaf_means(tree, samples, {.noise = 0.5, .passes = 1}).change, 1e300);
}

// Samples of N(0,1) with noise σ: E[z | x] = σx/(1 + σ²) is linear, so that the leaf means lie on this line at the
// centroids. The standard deviation of a leaf mean is at most that of a mean of as many independent z; four of them in
// each of 20 leaves: a false-alarm rate of 1/800.
TEST(LeafMeans, OfGaussianSamplesLieOnTheLine) {
  constexpr double noise = 0.2;
  const std::vector<float> samples = normals(200000);
  const LeafMeans means = leaf_means(BisectingTree(samples, 1, 20), samples, {.noise = noise, .passes = 8});
  for (std::size_t leaf = 0; leaf < 20; ++leaf)
    EXPECT_NEAR(means.noise[leaf], noise / (1 + noise * noise) * means.centroid[leaf],
                4 / std::sqrt(means.count[leaf] / (2 * means.passes)));
}

TEST(LeafMeans, PerturbedSubsampleHasItsSizeAndSpread) {
  const std::vector<float> samples = normals(2 * 30000);
  const std::vector<float> points = perturbed(samples, 2, 7, 0.5, 9);
  ASSERT_EQ(points.size(), 2 * ((30000 + 6) / 7));
  double square = 0;
  for (std::size_t i = 0; i < points.size() / 2; ++i)
    for (std::size_t c = 0; c < 2; ++c)
      square += std::pow(static_cast<double>(points[2 * i + c] - samples[14 * i + c]), 2);
  // The relative standard error of the variance of n normals is √(2/n); five of them.
  EXPECT_NEAR(square / static_cast<double>(points.size()) / 0.25, 1,
              5 * std::sqrt(2.0 / static_cast<double>(points.size())));
}

}  // namespace
}  // namespace gfdt::score

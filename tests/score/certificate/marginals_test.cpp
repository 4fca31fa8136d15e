#include "gfdt/score/certificate/marginals.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "certificate_cases.hpp"

namespace gfdt::score {
namespace {

using namespace cases;
using Values = std::vector<double>;

/// Snapshots that are independent normals, or the same normal throughout.
LangevinChains normal_chains(std::size_t count, std::uint64_t seed, bool stuck = false, double shift = 0) {
  LangevinChains chains;
  chains.chains = count;
  chains.dimension = 1;
  chains.escaped.resize(count);
  const codegen::Stream stream(seed, codegen::Purpose::test, 10);
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t s = 0; s < LangevinChains::snapshots; ++s)
      chains.values.push_back(shift + stream.normal(stuck ? c : c * LangevinChains::snapshots + s));
  return chains;
}

Samples normal_samples(std::uint32_t count, std::uint64_t seed) {
  Samples samples = empty_samples({1, 1}, {"x"});
  const codegen::Stream stream(seed, codegen::Purpose::test, 11);
  for (std::uint32_t i = 0; i < count; ++i) {
    samples.values.push_back(5 + 3 * stream.normal(i));
    samples.group.push_back(i);
  }
  return samples;
}

const Normalisation exact{{5}, {3}};

TEST(Wasserstein, IsTheAreaBetweenDistributionFunctions) {
  EXPECT_DOUBLE_EQ(wasserstein_distance(Values{0, 1}, Values{2, 3}), 2);
  EXPECT_DOUBLE_EQ(wasserstein_distance(Values{0}, Values{0, 1}), 0.5);
  EXPECT_DOUBLE_EQ(wasserstein_distance(Values{-1, 0, 1}, Values{0}), 2.0 / 3);
  EXPECT_DOUBLE_EQ(wasserstein_distance(Values{1, 2, 2, 5}, Values{1, 2, 2, 5}), 0);
}

TEST(Wasserstein, IsSymmetric) {
  const Values a{-2, 0.5, 0.7, 3}, b{-1, 0.5, 4};
  EXPECT_DOUBLE_EQ(wasserstein_distance(a, b), wasserstein_distance(b, a));
}

TEST(Marginals, FailOnlyIfTheDistanceExceedsTheNoise) {
  EXPECT_EQ(judge_distance(0.04, 0.02, 0.05), Verdict::passed);
  EXPECT_EQ(judge_distance(0.04, 0.03, 0.05), Verdict::unresolved);
  EXPECT_EQ(judge_distance(0.09, 0.02, 0.05), Verdict::unresolved);
  EXPECT_EQ(judge_distance(0.12, 0.02, 0.05), Verdict::failed);
  EXPECT_EQ(judge_distance(std::nan(""), 0.02, 0.05), Verdict::failed);
}

/// The distance between two samples of the same distribution has a standard deviation of about 0.43 of its mean: over
/// 50 pairs, the mean ratio is within 0.25 of 1 except with probability 4e-5.
TEST(Marginals, NoiseIsTheMeanDistanceOfTwoSamplesOfOneDistribution) {
  for (bool stuck : {false, true}) {
    double total = 0;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      const Marginal m = marginals(normal_samples(1500, seed), exact, normal_chains(800, seed, stuck), 0.05)[0];
      total += m.distance / m.noise / 50;
    }
    EXPECT_NEAR(total, 1, 0.25) << stuck;
  }
}

TEST(Marginals, CorrelatedSnapshotsCountOncePerChain) {
  const Samples samples = normal_samples(20000, 1);
  const double fresh = marginals(samples, exact, normal_chains(1000, 1, false), 0.05)[0].noise;
  const double stuck = marginals(samples, exact, normal_chains(1000, 1, true), 0.05)[0].noise;
  EXPECT_NEAR(stuck / fresh, std::sqrt((1.0 / 1000 + 1.0 / 20000) / (1.0 / 4000 + 1.0 / 20000)), 0.15);
}

TEST(Marginals, DistanceIsInStandardDeviationsAndEdgesInUnitsOfTheData) {
  const Marginal m = marginals(normal_samples(20000, 2), exact, normal_chains(2000, 2, false, 0.5), 0.05)[0];
  EXPECT_NEAR(m.distance, 0.5, 0.05);
  EXPECT_EQ(m.verdict, Verdict::failed);
  EXPECT_LT(m.edges.front(), 5 - 3 * 3);
  EXPECT_GT(m.edges.back(), 5 + 3 * 3);
  for (const Values* density : {&m.data, &m.langevin}) {
    ASSERT_EQ(density->size() + 1, m.edges.size());
    EXPECT_NEAR(std::accumulate(density->begin(), density->end(), 0.0) * (m.edges[1] - m.edges[0]), 1, 0.003);
  }
}

TEST(Marginals, LeaveOutChainsThatEscaped) {
  LangevinChains chains = normal_chains(2000, 3);
  for (std::size_t c = 0; c < chains.chains; c += 2) {
    chains.escaped[c] = 1;
    for (std::size_t s = 0; s < LangevinChains::snapshots; ++s) chains.values[c * LangevinChains::snapshots + s] = 1e9;
  }
  EXPECT_LT(marginals(normal_samples(20000, 3), exact, chains, 0.05)[0].distance, 0.1);
  chains.escaped.assign(chains.chains, 1);
  EXPECT_EQ(marginals(normal_samples(20000, 3), exact, chains, 0.05)[0].verdict, Verdict::failed);
}

TEST(Marginals, PoolTheSitesOfARing) {
  const Samples samples = oscillator_samples(500, 4);
  const Normalisation normalisation = normalisation_of(samples);
  const LangevinChains chains = langevin_chains(oscillator_score(), samples, normalisation, {.chains = 128}, {});
  const std::vector<Marginal> found = marginals(samples, normalisation, chains, 0.05);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "q[k]");
  EXPECT_EQ(found[1].name, "p[k]");
  EXPECT_LT(found[0].noise, 0.06);
}

}  // namespace
}  // namespace gfdt::score

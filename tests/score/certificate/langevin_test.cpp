#include "gfdt/score/certificate/langevin.hpp"

#include <gtest/gtest.h>

#include "certificate_cases.hpp"

namespace gfdt::score {
namespace {

using namespace cases;

LangevinChains chains_of(const Field& field, const Samples& samples, LangevinOptions options = {}) {
  return langevin_chains(field, samples, normalisation_of(samples), options, {});
}

/// The mean of a function of the last snapshot, and its standard error over chains.
template <class F>
std::pair<double, double> mean_at_end(const LangevinChains& chains, F f) {
  double total = 0, squares = 0;
  for (std::size_t c = 0; c < chains.chains; ++c) {
    const double value = f(chains.state(c, LangevinChains::snapshots - 1));
    total += value;
    squares += value * value;
  }
  const auto n = static_cast<double>(chains.chains);
  return {total / n, std::sqrt((squares / n - total * total / n / n) / n)};
}

/// A false-alarm rate of 6e-5 each, in addition to the bias of up to 2 % in a second moment due to the step.
void expect_moment(std::pair<double, double> estimate, double exact) {
  EXPECT_NEAR(estimate.first, exact, 4 * estimate.second + 0.02);
}

TEST(Langevin, PreservesTheDistributionOfAnExactScore) {
  const LangevinChains chains = chains_of(plane_score(), plane_samples(20000, 1));
  EXPECT_EQ(chains.escaped_chains(), 0u);
  expect_moment(mean_at_end(chains, [](const double* x) { return x[0]; }), 0);
  expect_moment(mean_at_end(chains, [](const double* x) { return x[0] * x[0]; }), 1);
  expect_moment(mean_at_end(chains, [](const double* x) { return x[1] * x[1]; }), 1);
  expect_moment(mean_at_end(chains, [](const double* x) { return x[0] * x[1]; }), Plane::correlation);
}

TEST(Langevin, ConvergesToTheDistributionOfTheScore) {
  // Two distant points, and the score of a Gaussian with mean 1 and standard deviation ½. In coordinates normalised by
  // the points (±1), this is N(1/2, 1/16), and chains decorrelate in 1/16.
  Samples points = empty_samples({1, 1}, {"x"});
  for (std::uint32_t i = 0; i < 200; ++i) {
    points.values.push_back(i % 2 == 0 ? -2 : 2);
    points.group.push_back(i);
  }
  const PointwiseField score(1, [](const double* x, double* s) { s[0] = -4 * (x[0] - 1); }, {});
  const LangevinChains chains = chains_of(score, points);
  expect_moment(mean_at_end(chains, [](const double* x) { return x[0]; }), 0.5);
  expect_moment(mean_at_end(chains, [](const double* x) { return 16 * (x[0] - 0.5) * (x[0] - 0.5); }), 1);
}

TEST(Langevin, StepIsAFifthOfTheFastestTime) {
  // The precision matrix of the normalised two-dimensional Gaussian has the eigenvalues 1/(1 ± 0.8).
  const LangevinChains chains = chains_of(plane_score(), plane_samples(20000, 2));
  EXPECT_NEAR(chains.step, 0.2 * (1 - Plane::correlation), 0.2 * 0.2 * 0.15);
  EXPECT_GE(chains.time, LangevinOptions{}.time);
  EXPECT_FALSE(chains.shortened);
}

TEST(Langevin, IsTheSameOnAnyNumberOfThreads) {
  const Samples samples = oscillator_samples(500, 3);
  const LangevinChains one = chains_of(oscillator_score(), samples, {.chains = 200, .time = 1, .threads = 1});
  EXPECT_EQ(one.chains, 256u);
  for (int threads : {2, 3}) {
    const LangevinChains more = chains_of(oscillator_score(), samples, {.chains = 200, .time = 1, .threads = threads});
    EXPECT_EQ(one.values, more.values);
  }
  const LangevinChains other =
      chains_of(oscillator_score(), samples, {.chains = 200, .time = 1, .seed = 2, .threads = 1});
  EXPECT_NE(one.values, other.values);
}

TEST(Langevin, CountsChainsThatRunAway) {
  const Samples samples = double_well_samples(2000, 4);
  EXPECT_GT(chains_of(scaled(double_well_score(), -1), samples, {.chains = 256, .time = 20}).escaped_chains(), 200u);
  const PointwiseField broken(1, [](const double*, double* s) { s[0] = std::nan(""); }, {});
  EXPECT_EQ(chains_of(broken, samples, {.chains = 128, .time = 1}).escaped_chains(), 128u);
}

TEST(Langevin, ASteepTailDoesNotMakeChainsDiverge) {
  // Initial states far out, where the drift of one step would be −60 standard deviations.
  Samples samples = double_well_samples(2000, 5);
  for (std::size_t i = 0; i < samples.size(); i += 20) samples.values[i] = 8;
  EXPECT_EQ(chains_of(double_well_score(), samples, {.chains = 1024}).escaped_chains(), 0u);
}

TEST(Langevin, StaysWithinTheLimitOfEvaluations) {
  const Samples samples = plane_samples(5000, 6);
  const LangevinChains fewer = chains_of(plane_score(), samples, {.most_evaluations = 200000});
  EXPECT_FALSE(fewer.shortened);
  EXPECT_LT(fewer.chains, 1024u);
  EXPECT_LE(fewer.evaluations * 2, 200000u + 64 * 2 * 2 * 120);
  EXPECT_GE(fewer.time, 4);
  const LangevinChains shorter = chains_of(plane_score(), samples, {.most_evaluations = 20000});
  EXPECT_TRUE(shorter.shortened);
  EXPECT_EQ(shorter.chains, 128u);
  EXPECT_LE(shorter.evaluations * 2, 20000u);
  EXPECT_LT(shorter.time, 4);
}

}  // namespace
}  // namespace gfdt::score

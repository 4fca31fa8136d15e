#include "gfdt/jacobian/correlation/window_choice.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gfdt/base/philox.hpp"

namespace gfdt::jacobian {
namespace {

constexpr double interval = 0.1;

/// Sums of `groups` series of one observable A and one conjugate g, both Ornstein–Uhlenbeck with decay time τ: g is A
/// itself, plus noise of its own.
struct Process {
  SignalShape shape{.later = 2, .monitored = 0, .earlier = 2, .lanes = 8};
  LagBins bins;
  std::vector<LagSums> sums;

  Process(double tau, double noise, std::size_t samples, std::size_t blocks, const LagBins& lag_bins,
          std::uint64_t seed = 11)
      : bins(lag_bins) {
    const double keep = std::exp(-interval / tau);
    for (std::uint32_t block = 0; block < blocks; ++block) {
      LagProducts products(shape, bins);
      codegen::AlignedArray<double> later(samples * 16), earlier(samples * 16);
      for (std::uint32_t lane = 0; lane < 8; ++lane) {
        const codegen::Stream stream(seed, codegen::Purpose::sampling, block * 8 + lane);
        double x = stream.normal(0);
        for (std::size_t s = 0; s < samples; ++s) {
          x = keep * x + std::sqrt(1 - keep * keep) * stream.normal(2 * s + 1);
          later[(s * 2) * 8 + lane] = earlier[(s * 2) * 8 + lane] = 1;
          later[(s * 2 + 1) * 8 + lane] = x;
          earlier[(s * 2 + 1) * 8 + lane] = x + noise * stream.normal(2 * s + 2);
        }
      }
      products.add(later.data(), earlier.data(), samples);
      for (LagSums& one : products.finish()) sums.push_back(std::move(one));
    }
  }
  Correlations correlations() const { return {shape, bins, sums}; }
};

TEST(Memory, IsWhereTheAutocorrelationFallsBelowFaint) {
  const Process process(2, 0, 20'000, 4, bins_reaching(40, interval));
  const LagMemory memory = memory_of(process.correlations(), {"A"});
  // e^{−t/2} = 0.05 at t = 6; bins are 0.8 wide.
  EXPECT_NEAR(memory.time, 6, 1.2);
  EXPECT_TRUE(memory.resolved);
  EXPECT_EQ(memory.slowest, "A");
}

TEST(Memory, IsNotResolvedWhereLagsEndBeforeIt) {
  const Process process(5, 0, 20'000, 4, bins_reaching(10, interval));
  EXPECT_FALSE(memory_of(process.correlations(), {"A"}).resolved);
}

TEST(Memory, IsNotWhatChanceMakesOfLateLags) {
  // 32 members of 60 decay times: errors of an autocorrelation are about 0.03. One in a thousand may fail.
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Process process(1, 0, 600, 4, bins_reaching(20, interval), seed);
    const LagMemory memory = memory_of(process.correlations(), {"A"});
    EXPECT_TRUE(memory.resolved) << seed << ": " << memory.time;
  }
}

TEST(ChosenWindow, LeavesLittleOfAnExponentialBeyond) {
  const Process process(2, 0, 20'000, 4, bins_reaching(40, interval));
  const Correlations correlations = process.correlations();
  const Window window = window_of(memory_of(correlations, {"A"}));
  // What is left: the average of e^{−t/τ} over the window.
  const double left = 2 * (std::exp(-window.start / 2) - std::exp(-window.end / 2)) / (window.end - window.start);
  EXPECT_LT(left, 0.012);
  const Estimate integral = correlations.integral(1, 1, 0, window_weights(process.bins, window));
  EXPECT_NEAR(integral.value, 2, 4 * integral.standard_error + 0.02);
}

TEST(ChosenWindow, FollowsTheSlowestComponentOfTheModelWhereItIsFarSlower) {
  EXPECT_EQ(memory_for_window(6, 2, 1), 6) << "e^{-t/2} is faint at 6";
  EXPECT_EQ(memory_for_window(6, 8, 2), 12) << "four times slower: nothing that is faint matters";
  EXPECT_EQ(memory_for_window(2.4, 26, 2), 78) << "the decay within wells, and switches between them";
}

TEST(Settling, PassesForAWindowPastTheMemoryAndFailsForOneThatCutsTheIntegral) {
  const Process process(2, 0.5, 20'000, 4, bins_reaching(40, interval));
  const Correlations correlations = process.correlations();
  const std::vector<Entry> entries{{1, 1, 0, "dA/dθ"}};
  EXPECT_TRUE(settling(correlations, entries, {9, 12}).settled);
  const Settling early = settling(correlations, entries, {1, 1.5});
  EXPECT_FALSE(early.settled);
  EXPECT_EQ(early.entry, "dA/dθ");
}

TEST(Weights, OfAWindowAndOfAStep) {
  const LagBins bins{.samples = 1, .bins = 4, .interval = 1};
  EXPECT_EQ(window_weights(bins, {1, 3}), (Weights{1, 1, 0.5, 0, 0}));
  EXPECT_EQ(step_weights(bins, 2), (Weights{1, 1, 0.5, 0, 0}));
  EXPECT_EQ(step_weights(bins, 0), (Weights{0, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace gfdt::jacobian

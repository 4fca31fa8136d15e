// The individual rules of the search: the cap on ill-conditioned steps, the trust region, the lengths of runs.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gfdt/calibrate/search/condition_cap.hpp"
#include "gfdt/calibrate/search/run_length.hpp"
#include "gfdt/calibrate/search/trust_region.hpp"

namespace gfdt::calibrate {
namespace {

TEST(ConditionCap, ShortensOnlyLongStepsOfIllConditionedProblems) {
  EXPECT_EQ(condition_cap(9.99e3, 1e4, 0.05, 100, 1), 1);
  EXPECT_DOUBLE_EQ(condition_cap(1e4, 1e4, 0.05, 100, 2), 0.001);  // ‖λδ‖ = 0.1 = 5 % of 2
  EXPECT_EQ(condition_cap(1e4, 1e4, 0.05, 0.1, 2), 1);
  EXPECT_DOUBLE_EQ(condition_cap(std::numeric_limits<double>::infinity(), 1e4, 0.05, 0.2, 2), 0.5);
  EXPECT_EQ(condition_cap(1e9, 1e4, 0.05, 0, 2), 1);
}

TEST(TrustRegion, GrowsIfARestrictedStepWasPredictedWell) {
  TrustRegion region(0.5);
  EXPECT_TRUE(region.judge(0.8, 1, 0, 0.5, true));
  EXPECT_EQ(region.radius(), 1);
  EXPECT_TRUE(region.judge(0.8, 1, 0, 0.3, false));  // not restricted: no information about longer steps
  EXPECT_EQ(region.radius(), 1);
  EXPECT_TRUE(region.judge(0.5, 1, 0, 1, true));  // an intermediate prediction
  EXPECT_EQ(region.radius(), 1);
}

TEST(TrustRegion, ShrinksToAQuarterOfAPoorlyPredictedStep) {
  TrustRegion region(1);
  EXPECT_TRUE(region.judge(0.2, 1, 0, 0.8, false));
  EXPECT_DOUBLE_EQ(region.radius(), 0.2);
  EXPECT_FALSE(region.judge(-0.1, 1, 0, 0.2, true));
  EXPECT_DOUBLE_EQ(region.radius(), 0.05);
  region.shrink(0.04);
  EXPECT_DOUBLE_EQ(region.radius(), 0.01);
}

TEST(TrustRegion, IgnoresDifferencesBelowTwoStandardDeviations) {
  TrustRegion region(1);
  EXPECT_TRUE(region.judge(-0.99, 1, 0.5, 1, false));
  EXPECT_EQ(region.radius(), 0.25);  // −0.99 is below 1/4 − 1
  TrustRegion other(1);
  EXPECT_TRUE(other.judge(-0.74, 1, 0.5, 1, false));
  EXPECT_EQ(other.radius(), 1);
  EXPECT_FALSE(other.judge(-1.01, 1, 0.5, 1, false));
}

TEST(TrustRegion, RejectsAStepFarBelowItsPrediction) {
  TrustRegion region(1);
  EXPECT_FALSE(region.judge(-0.1, 2, 0.5, 1, false));  // 4.2 standard deviations below the prediction
  EXPECT_EQ(region.radius(), 0.25);
  EXPECT_TRUE(region.judge(0.1, 3, 0.5, 1, false));  // worse than predicted, but not worse than before
  EXPECT_TRUE(region.judge(-0.1, 1.8, 0.5, 1, false));
}

TEST(TrustRegion, IsUnchangedAfterAStepFarSmallerThanTheNoise) {
  TrustRegion region(1);
  EXPECT_FALSE(region.judge(-3, 1e-20, 1, 1e-10, false, false));
  EXPECT_EQ(region.radius(), 1) << "the runs differ by noise, not by the step";
  EXPECT_FALSE(region.judge(-3, 1e-20, 1, 1e-10, false, true));
  EXPECT_EQ(region.radius(), 2.5e-11) << "with the same random numbers it was the step";
}

TEST(TrustRegion, RejectsNonFiniteObjectives) {
  TrustRegion region(1);
  EXPECT_FALSE(region.judge(std::nan(""), 1, 0.5, 1, false));
  EXPECT_FALSE(region.judge(1, 1, std::nan(""), 1, false));
}

TEST(RunLength, GrowsIfTheStepIsHardlySignificant) {
  EXPECT_DOUBLE_EQ(next_length(1, 100, 625), 1);
  EXPECT_DOUBLE_EQ(next_length(1, 100, 1e9), 1);
  EXPECT_DOUBLE_EQ(next_length(1, 100, 312.5), 2);
  EXPECT_DOUBLE_EQ(next_length(1, 100, 1), 8);  // upper limit
  EXPECT_DOUBLE_EQ(next_length(1, 100, 0), 8);
  EXPECT_DOUBLE_EQ(next_length(1, 100, std::nan("")), 8);
  EXPECT_DOUBLE_EQ(next_length(1, 5, 1), 5);
  EXPECT_DOUBLE_EQ(next_length(5, 5, 1e9), 5);
}

}  // namespace
}  // namespace gfdt::calibrate

#include "gfdt/calibrate/targets/mismatch.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "gfdt/base/error.hpp"
#include "gfdt/calibrate/search/stage_seed.hpp"

namespace gfdt::calibrate {
namespace {

Evaluation evaluation_of(std::vector<double> means, std::vector<double> covariance) {
  Evaluation evaluation;
  for (const double mean : means) {
    evaluation.statistics.emplace_back();
    evaluation.statistics.back().mean = mean;
  }
  evaluation.mean_covariance = std::move(covariance);
  return evaluation;
}

TEST(Mismatch, IsTheDistanceInUnitsOfTheCombinedNoise) {
  const Targets targets{{"a", "b"}, {1.0, 2.0}, {1, 0.5, 0.5, 2}};
  const Mismatch found = mismatch(evaluation_of({4.0, -2.0}, {3, 0.5, 0.5, 2}), targets);
  EXPECT_EQ(found.residual, (std::vector<double>{3, -4}));
  EXPECT_EQ(found.deviations, (std::vector<double>{1.5, -2}));
  EXPECT_EQ(found.noise, (std::vector<double>{4, 1, 1, 4}));
  EXPECT_DOUBLE_EQ(found.norm, 5);
  // N⁻¹ = (4 −1; −1 4) / 15.
  EXPECT_NEAR(found.chi_square, (4 * 9 + 2 * 12 + 4 * 16) / 15.0, 1e-12);
  ASSERT_EQ(found.parts.size(), 2u);
  EXPECT_NEAR(found.parts[0], 3 * (4 * 3 + 4) / 15.0, 1e-12);
  EXPECT_NEAR(found.parts[1], -4 * (-3 - 4 * 4) / 15.0, 1e-12);
  EXPECT_NEAR(found.tail, std::exp(-found.chi_square / 2), 1e-12);  // two degrees of freedom
}

TEST(Mismatch, DoesNotDependOnUnits) {
  const Targets small{{"a", "b"}, {1.0, 2.0}, {1, 0.5, 0.5, 2}};
  const Targets large{{"a", "b"}, {1.0, 2e12}, {1, 0.5e12, 0.5e12, 2e24}};
  const Mismatch one = mismatch(evaluation_of({4.0, -2.0}, {3, 0.5, 0.5, 2}), small);
  const Mismatch other = mismatch(evaluation_of({4.0, -2e12}, {3, 0.5e12, 0.5e12, 2e24}), large);
  EXPECT_NEAR(one.chi_square, other.chi_square, 1e-12);
}

TEST(Mismatch, RejectsDifferentSizesAndInvalidNoise) {
  const Targets targets{{"a", "b"}, {1.0, 2.0}, {1, 0, 0, 1}};
  EXPECT_THROW(mismatch(evaluation_of({4.0}, {3}), targets), Error);
  EXPECT_THROW(mismatch(evaluation_of({4.0, 1.0}, {}), targets), Error);
  EXPECT_THROW(mismatch(evaluation_of({4.0, 1.0}, {0, 2, 2, 0}), targets), Error);
  EXPECT_THROW(mismatch(evaluation_of({4.0, 1.0}, {std::nan(""), 0, 0, 0}), targets), Error);
}

// Two statistics are multiples of each other: the noise has rank one, and rounding may produce a negative eigenvalue.
TEST(Mismatch, AcceptsNoiseThatIsSingularToRounding) {
  const Targets targets{{"a", "b"}, {1.0, 3.0}, {1e-20, 0, 0, 1e-20}};
  const double covariance = 0.1 * 0.3 * (1 + 4e-16);
  const Mismatch found = mismatch(evaluation_of({1.2, 3.6}, {0.01, covariance, covariance, 0.09}), targets);
  EXPECT_NEAR(found.chi_square, 4, 1e-6);
}

TEST(StageSeed, DiffersFromStageToStageAndFromSeedToSeed) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (std::uint64_t stage = 0; stage < 100; ++stage) seen.insert(stage_seed(seed, stage));
  EXPECT_EQ(seen.size(), 10000U);
  EXPECT_NE(stage_seed(stage_seed(1, 2), 3), stage_seed(stage_seed(1, 3), 2));
}

}  // namespace
}  // namespace gfdt::calibrate

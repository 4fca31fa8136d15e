// The coverage of confidence intervals, counted over independent runs with a known mean.
#include <gtest/gtest.h>

#include <string>

#include "series.hpp"

namespace gfdt::statistics {
namespace {

struct Case {
  std::uint32_t members;
  double phi;
  std::uint64_t samples;
};

class Coverage : public testing::TestWithParam<Case> {};

TEST_P(Coverage, IsNinetyFivePercent) {
  const auto [members, phi, samples] = GetParam();
  constexpr int runs = 2000;
  int held = 0;
  double variance = 0;
  for (int run = 0; run < runs; ++run) {
    const Average a = average_of(ensemble(phi, members, samples, 1000 + static_cast<std::uint64_t>(run)));
    held += std::abs(a.mean) <= a.half_width(0.95);
    variance += a.standard_error * a.standard_error / runs;
  }
  const double share = static_cast<double>(held) / runs;
  const double exact = variance_of_mean(phi, static_cast<double>(samples)) / members;
  RecordProperty("coverage", std::to_string(share));
  RecordProperty("variance_ratio", std::to_string(variance / exact));
  // The estimated variances scatter by about √(2/ν) with ν degrees of freedom: at least 7 in each of 2000 runs.
  EXPECT_NEAR(variance / exact, 1, 3.89 * std::sqrt(2.0 / (7.0 * runs)));
  // ±3.89 binomial standard deviations: a false-alarm rate of 1e-4.
  EXPECT_NEAR(share, 0.95, 3.89 * std::sqrt(0.95 * 0.05 / runs));
}

INSTANTIATE_TEST_SUITE_P(ManyMembers, Coverage,
                         testing::Values(Case{8, 0.8, 500}, Case{8, 0, 20}, Case{30, 0.9, 200}, Case{100, 0.5, 50}));
INSTANTIATE_TEST_SUITE_P(FewMembers, Coverage,
                         testing::Values(Case{1, 0, 1000}, Case{1, 0.6, 2000}, Case{1, 0.6, 5000}, Case{1, 0.8, 5000},
                                         Case{2, 0.6, 2000}, Case{4, 0.8, 2000}, Case{7, 0.8, 1000}, Case{1, 0.5, 4095},
                                         Case{1, 0.8, 10000}));

}  // namespace
}  // namespace gfdt::statistics

#include "gfdt/statistics/checks/tail_index.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace gfdt::statistics {
namespace {

std::vector<double> draws(std::size_t count, auto draw) {
  std::mt19937_64 generator(5);
  std::vector<double> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(draw(generator));
  return result;
}

// Student's t distribution with ν degrees of freedom decays like x^−(ν+1): the index of |x|^k is k/ν. With four
// standard errors, the false-alarm rate is 6e-5 per case.
TEST(TailIndex, OfPowersOfStudentsDistributionIsExact) {
  for (const auto& [freedom, power] : {std::pair{3.22, 4.0}, {1.5, 2.0}, {3.22, 2.0}, {2.0, 1.0}}) {
    std::student_t_distribution<double> student(freedom);
    const TailIndex found =
        tail_index(draws(100'000, [&](auto& generator) { return std::pow(std::abs(student(generator)), power); }));
    EXPECT_NEAR(found.value, power / freedom, 4 * found.standard_error + 0.05) << freedom << ' ' << power;
    EXPECT_EQ(found.has_no_mean(), power > freedom);
  }
}

// These distributions have all moments, even if averages of high powers converge slowly.
TEST(TailIndex, OfDistributionsWithAllMomentsAllowsAMean) {
  std::normal_distribution<double> normal;
  std::exponential_distribution<double> exponential;
  for (const double power : {1.0, 2.0, 4.0, 6.0, 8.0})
    EXPECT_FALSE(tail_index(draws(100'000, [&](auto& g) { return std::pow(normal(g), power); })).may_have_no_mean());
  for (const double power : {1.0, 2.0, 4.0})
    EXPECT_FALSE(
        tail_index(draws(100'000, [&](auto& g) { return std::pow(exponential(g), power); })).may_have_no_mean());
  EXPECT_FALSE(tail_index(draws(100'000, [&](auto& g) { return std::exp(normal(g)); })).has_no_variance());
}

TEST(TailIndex, OfBoundedOrFewValuesRaisesNoAlarm) {
  std::uniform_real_distribution<double> uniform;
  EXPECT_LT(tail_index(draws(100'000, uniform)).value, 0);
  EXPECT_EQ(tail_index(std::vector<double>(100'000, 1.0)).standard_error, 0);
  EXPECT_EQ(tail_index(draws(100'000, [&](auto& g) { return uniform(g) < 0.3 ? 1.0 : 0.0; })).value, 0);
  EXPECT_EQ(tail_index(draws(1000, uniform)).standard_error, 0);
}

}  // namespace
}  // namespace gfdt::statistics

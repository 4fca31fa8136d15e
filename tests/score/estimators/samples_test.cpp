#include <gmock/gmock.h>

#include <limits>
#include <set>

#include "field_checks.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/score/estimators/moments.hpp"
#include "gfdt/score/estimators/normalisation.hpp"

namespace gfdt::score {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

double& at(Samples& samples, std::size_t sample, std::size_t component) {
  return samples.values[sample * static_cast<std::size_t>(samples.dimension()) + component];
}

TEST(CheckedSamples, PassIfAScoreCanBeFitted) {
  EXPECT_EQ(complaint([] { check(normal_samples({3, 1}, 200)); }), "");
  EXPECT_EQ(complaint([] { check(normal_samples({2, 20}, 400)); }), "");
}

TEST(CheckedSamples, MustBeSufficientInNumber) {
  EXPECT_THAT(complaint([] { check(normal_samples({1, 1}, 99)); }), AllOf(HasSubstr("99"), HasSubstr("longer")));
  EXPECT_THAT(complaint([] { check(normal_samples({1, 20}, 199)); }), AllOf(HasSubstr("at least 200")));
}

TEST(CheckedSamples, MustBeFinite) {
  Samples samples = normal_samples({3, 1}, 200);
  at(samples, 17, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(complaint([&] { check(samples); }), AllOf(HasSubstr("x2"), HasSubstr("sample 17"), HasSubstr("nan")));
  at(samples, 17, 2) = -std::numeric_limits<double>::infinity();
  EXPECT_THAT(complaint([&] { check(samples); }), HasSubstr("-inf"));
}

TEST(CheckedSamples, MustChange) {
  Samples samples = normal_samples({3, 1}, 200);
  for (std::size_t i = 0; i < 200; ++i) at(samples, i, 1) = 0.3;
  EXPECT_THAT(complaint([&] { check(samples); }), AllOf(HasSubstr("x1 never changes"), HasSubstr("give it noise")));
  for (std::size_t i = 0; i < 200; ++i) at(samples, i, 0) = at(samples, i, 2) = 1.5;
  EXPECT_THAT(complaint([&] { check(samples); }), HasSubstr("All 200 samples are the same state"));
}

TEST(CheckedSamples, MustNotContainCopies) {
  Samples samples = normal_samples({3, 1}, 200);
  for (std::size_t i = 0; i < 200; ++i) at(samples, i, 2) = 7 - 1e-3 * at(samples, i, 0);
  EXPECT_THAT(complaint([&] { check(samples); }), AllOf(HasSubstr("x2 is a copy of x0"), HasSubstr("remove")));
}

TEST(CheckedSamples, MustBeLinearlyIndependent) {
  Samples samples = normal_samples({4, 1}, 200);
  for (std::size_t i = 0; i < 200; ++i) at(samples, i, 3) = 5 + at(samples, i, 0) - 2 * at(samples, i, 1);
  EXPECT_THAT(complaint([&] { check(samples); }), HasSubstr("x0, x1, x3 are linearly dependent"));
  for (double& value : samples.values) value = static_cast<float>(value);
  EXPECT_THAT(complaint([&] { check(samples); }), HasSubstr("x0, x1, x3 are linearly dependent"));
}

TEST(CheckedSamples, MustBeConsistentWithTheirShape) {
  Samples samples = normal_samples({2, 1}, 200);
  samples.names.pop_back();
  EXPECT_THROW(check(samples), Error);
  samples = normal_samples({2, 1}, 200);
  std::swap(samples.group[3], samples.group[150]);
  EXPECT_THAT(complaint([&] { check(samples); }), HasSubstr("increasing"));
}

TEST(SamplesOfGroups, AreSelectedByARange) {
  const Samples samples = normal_samples({2, 1}, 1000);
  const Samples part = of_groups(samples, 20, 50);
  ASSERT_EQ(part.size(), 300u);
  EXPECT_EQ(part.names, samples.names);
  EXPECT_EQ(part.group.front(), 20u);
  EXPECT_EQ(part.group.back(), 49u);
  for (std::size_t i = 0; i < part.size(); ++i) ASSERT_EQ(part[i][1], samples[200 + i][1]);
  EXPECT_EQ(of_groups(samples, 90, 500).size(), 100u);
  EXPECT_EQ(of_groups(samples, 200, 500).size(), 0u);
}

TEST(Normalisation, HasTheMeanAndSpreadOfEachComponent) {
  Samples samples{{2, 1}, {"x", "y"}, {1, 10, 3, 10, 5, 40}, {0, 0, 0}};
  const Normalisation normalisation = normalisation_of(samples);
  EXPECT_THAT(normalisation.mean, ElementsAre(3, 20));
  EXPECT_DOUBLE_EQ(normalisation.std[0], std::sqrt(8.0 / 3));
  EXPECT_DOUBLE_EQ(normalisation.std[1], std::sqrt(200.0));
  const std::vector<float> x = normalised(samples, normalisation);
  EXPECT_FLOAT_EQ(x[0], static_cast<float>(-2 / std::sqrt(8.0 / 3)));
  EXPECT_FLOAT_EQ(x[5], static_cast<float>(20 / std::sqrt(200.0)));
}

TEST(Normalisation, IsSharedByTheSitesOfAField) {
  const Samples samples{{2, 2}, {"X[0]", "X[1]", "Y[0]", "Y[1]"}, {1, 3, 0, 0, 5, 7, 2, 2}, {0, 0}};
  const Normalisation normalisation = normalisation_of(samples);
  EXPECT_THAT(normalisation.mean, ElementsAre(4, 4, 1, 1));
  EXPECT_THAT(normalisation.std, ElementsAre(std::sqrt(5.0), std::sqrt(5.0), 1, 1));
}

TEST(Normalisation, KeepsItsDigitsFarFromZero) {
  Samples samples = normal_samples({1, 1}, 1000);
  const double std = normalisation_of(samples).std[0];
  for (double& value : samples.values) value += 1e7;
  EXPECT_NEAR(normalisation_of(samples).std[0], std, 1e-8);
  samples.values.assign(1000, 2.0);
  EXPECT_THAT(complaint([&] { normalisation_of(samples); }), HasSubstr("x0"));
}

TEST(Moments, AreTheSameOnAnyNumberOfThreads) {
  const Samples samples = normal_samples({5, 1}, 10000);
  const Moments one = moments_of(samples, 1), three = moments_of(samples, 3);
  EXPECT_EQ(one.mean, three.mean);
  EXPECT_EQ(one.covariance, three.covariance);
}

}  // namespace
}  // namespace gfdt::score

#include <gmock/gmock.h>

#include "field_checks.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/score/estimators/gaussian.hpp"
#include "gfdt/score/estimators/moments.hpp"

namespace gfdt::score {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// −<(x − m) sᵀ> over samples.
std::vector<double> minus_x_s(const Field& field, const Samples& samples, const std::vector<double>& mean) {
  const std::size_t d = mean.size();
  std::vector<double> product(d * d, 0.0), s(d);
  for (std::size_t sample = 0; sample < samples.size(); ++sample) {
    field.evaluate(samples[sample], 1, s.data());
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j)
        product[i * d + j] -= (samples[sample][i] - mean[i]) * s[j] / static_cast<double>(samples.size());
  }
  return product;
}

TEST(GaussianField, IsMinusPrecisionTimesDeviation) {
  const GaussianField field({1, 2}, {2, 0.5, 0.5, 3}, "test");
  const double x[] = {2, 1, 4, 2};  // two lanes: (2, 4) and (1, 2)
  double s[4];
  field.evaluate(x, 2, s);
  EXPECT_THAT(s, ElementsAre(-3, 0, -6.5, 0));
  EXPECT_THAT(field.mean(), ElementsAre(1, 2));
  EXPECT_THAT(field.precision(), ElementsAre(2, 0.5, 0.5, 3));
}

TEST(GaussianField, HasAConstantJacobian) {
  expect_consistent(GaussianField({1, 2, -1}, {2, 0.5, 0.1, 0.5, 3, 0.2, 0.1, 0.2, 1}, "test"));
}

TEST(GaussianField, RejectsInvalidPrecisions) {
  EXPECT_THROW(GaussianField({1, 2}, {1, 2, 3}, ""), Error);
  EXPECT_THROW(GaussianField({1, 2}, {1, 0.5, 0.4, 1}, ""), Error);
  EXPECT_THROW(GaussianField({1, NAN}, {1, 0, 0, 1}, ""), Error);
  EXPECT_THROW(GaussianField({1}, {NAN}, ""), Error);
}

TEST(FittedGaussian, HasMinusXSEqualToTheIdentityOnItsSamples) {
  Samples samples = normal_samples({3, 1}, 500);
  for (std::size_t i = 0; i < samples.values.size(); i += 3) {
    samples.values[i + 1] = 1000 + 50 * samples.values[i + 1] + 20 * samples.values[i];
    samples.values[i + 2] = 1e-3 * (samples.values[i + 2] - samples.values[i]);
  }
  const GaussianField field = fit_gaussian(samples);
  expect_consistent(field, 1e-3);
  const std::vector<double> product = minus_x_s(field, samples, field.mean());
  const Moments moments = moments_of(samples);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(field.mean()[i], moments.mean[i], 1e-12 * (1 + std::abs(moments.mean[i])));
    for (std::size_t j = 0; j < 3; ++j) {
      const double units = std::sqrt(moments.covariance[4 * i] / moments.covariance[4 * j]);
      EXPECT_NEAR(product[3 * i + j], i == j ? 1 : 0, 1e-9 * units) << i << " " << j;
    }
  }
}

// Two fields on a ring of five: X is noise, Y[k] = X[k−1] + X[k]/2 + noise.
TEST(FittedGaussian, IsTheSameAtEverySiteOfARing) {
  const int n = 5;
  Samples samples = normal_samples({2, n}, 300);
  for (std::size_t sample = 0; sample < samples.size(); ++sample) {
    double* x = &samples.values[sample * 2 * n];
    for (int k = 0; k < n; ++k) x[n + k] += 3 + x[(k + n - 1) % n] + x[k] / 2;
  }
  const GaussianField field = fit_gaussian(samples);
  const std::vector<double> precision = field.precision();
  for (int i = 0; i < 2 * n; ++i) {
    EXPECT_EQ(field.mean()[index(i)], field.mean()[index(i / n * n)]);
    for (int j = 0; j < 2 * n; ++j) {
      const int next_i = i / n * n + (i + 1) % n, next_j = j / n * n + (j + 1) % n;
      ASSERT_EQ(precision[index(i * 2 * n + j)], precision[index(next_i * 2 * n + next_j)]) << i << " " << j;
    }
  }
  // Averaged over translations, −<x sᵀ> is the identity.
  const std::vector<double> product = circulant_part(samples.arrangement, minus_x_s(field, samples, field.mean()));
  for (int i = 0; i < 2 * n; ++i)
    for (int j = 0; j < 2 * n; ++j) EXPECT_NEAR(product[index(i * 2 * n + j)], i == j ? 1 : 0, 1e-11);
  expect_consistent(field);
}

TEST(FittedGaussian, NamesDependentComponents) {
  Samples samples = normal_samples({3, 1}, 500);
  for (std::size_t i = 0; i < samples.values.size(); i += 3) samples.values[i + 2] = samples.values[i] - 1;
  EXPECT_THAT(complaint([&] { fit_gaussian(samples); }), HasSubstr("combination of x0, x2"));
  for (std::size_t i = 0; i < samples.values.size(); i += 3) samples.values[i + 2] = 4;
  EXPECT_THAT(complaint([&] { fit_gaussian(samples); }), HasSubstr("variance of x2 is 0"));
}

}  // namespace
}  // namespace gfdt::score

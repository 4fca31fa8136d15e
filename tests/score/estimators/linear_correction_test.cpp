#include "gfdt/score/fields/linear_correction.hpp"

#include <gmock/gmock.h>

#include "field_checks.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/score/estimators/gaussian.hpp"
#include "gfdt/score/estimators/moments.hpp"
#include "gfdt/score/fields/callable_field.hpp"
#include "gfdt/score/fields/probes.hpp"

namespace gfdt::score {
namespace {

using testing::HasSubstr;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// s_i = −x_i + 0.3 sin x_{i+1}: nearly the score of independent normals, but nonlinear and with nonzero off-diagonal
/// derivatives.
std::shared_ptr<const Field> bent(int dimension, double factor = 1) {
  return std::make_shared<CallableField>(
      dimension,
      [factor](std::span<const double> x, std::span<double> s) {
        for (std::size_t i = 0; i < x.size(); ++i) s[i] = factor * (-x[i] + 0.3 * std::sin(x[(i + 1) % x.size()]));
      },
      [factor](std::span<const double> x, std::span<const double> v, std::span<double> sv) {
        for (std::size_t i = 0; i < x.size(); ++i) {
          const std::size_t j = (i + 1) % x.size();
          sv[i] = factor * (-v[i] + 0.3 * std::cos(x[j]) * v[j]);
        }
      });
}

/// −<x sᵀ> with x centred.
std::vector<double> minus_x_s(const Field& field, const Samples& samples) {
  const std::size_t d = index(samples.dimension());
  const std::vector<double> mean = moments_of(samples).mean;
  std::vector<double> product(d * d, 0.0), s(d);
  for (std::size_t sample = 0; sample < samples.size(); ++sample) {
    field.evaluate(samples[sample], 1, s.data());
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j)
        product[i * d + j] -= (samples[sample][i] - mean[i]) * s[j] / static_cast<double>(samples.size());
  }
  return product;
}

void expect_identity(const std::vector<double>& product, int d, double tolerance = 1e-11) {
  for (int i = 0; i < d; ++i)
    for (int j = 0; j < d; ++j) EXPECT_NEAR(product[index(i * d + j)], i == j ? 1 : 0, tolerance) << i << " " << j;
}

TEST(LinearCorrection, MakesMinusXSTheIdentity) {
  const Samples samples = normal_samples({3, 1}, 2000);
  const auto base = bent(3, 1.2);
  const LinearCorrection correction = linear_correction(*base, samples);
  EXPECT_GT(correction.distance, 0.1);
  const CorrectedField field(base, correction.matrix);
  expect_identity(minus_x_s(field, samples), 3);
  expect_consistent(field);
}

TEST(LinearCorrection, DoesNotChangeACorrectScore) {
  const Samples samples = normal_samples({3, 1}, 500);
  const LinearCorrection correction = linear_correction(fit_gaussian(samples), samples);
  EXPECT_LT(correction.distance, 1e-12);
  expect_identity(correction.matrix, 3);
}

TEST(LinearCorrection, DoesNotDependOnUnits) {
  Samples samples = normal_samples({2, 1}, 500);
  const auto base = bent(2);
  const LinearCorrection plain = linear_correction(*base, samples);
  for (std::size_t i = 0; i < samples.size(); ++i) samples.values[2 * i] = 1e4 + 1e-3 * samples.values[2 * i];
  const CallableField rescaled(2, [&](std::span<const double> x, std::span<double> s) {
    const double plain_x[] = {(x[0] - 1e4) / 1e-3, x[1]};
    base->evaluate(plain_x, 1, s.data());
    s[0] /= 1e-3;
  });
  const LinearCorrection other = linear_correction(rescaled, samples);
  EXPECT_NEAR(other.distance, plain.distance, 1e-7);
  EXPECT_NEAR(other.matrix[0], plain.matrix[0], 1e-7);
  EXPECT_NEAR(other.matrix[1], plain.matrix[1] * 1e3, 1e-4);
}

TEST(LinearCorrection, OfARingIsTheSameAtEverySite) {
  const Arrangement ring{1, 20};
  const Samples samples = normal_samples(ring, 400);
  const auto base = bent(20);
  const LinearCorrection correction = linear_correction(*base, samples);
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 20; ++j)
      ASSERT_EQ(correction.matrix[index(20 * i + j)], correction.matrix[index(20 * ((i + 1) % 20) + (j + 1) % 20)]);
  const CorrectedField field(base, correction.matrix);
  expect_identity(circulant_part(ring, minus_x_s(field, samples)), 20);
  expect_consistent(field);
}

TEST(LinearCorrection, MayBeOneFactorPerField) {
  const Arrangement ring{2, 3};
  const Samples samples = normal_samples(ring, 400);
  const auto base = bent(6, 0.7);
  const LinearCorrection correction = linear_correction(*base, samples, CorrectionForm::diagonal);
  const CorrectedField field(base, correction.matrix);
  const std::vector<double> product = minus_x_s(field, samples);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(correction.matrix[index(7 * i)], correction.matrix[index(i / 3 * 21)]);
    for (int j = 0; j < 6; ++j) EXPECT_EQ(correction.matrix[index(6 * i + j)] != 0, i == j);
  }
  EXPECT_NEAR(product[0] + product[7] + product[14], 3, 1e-11);
  EXPECT_NEAR(product[21] + product[28] + product[35], 3, 1e-11);
  expect_consistent(field);
}

/// Counts the requested entries.
class Counting : public GaussianField {
 public:
  using GaussianField::GaussianField;
  void jacobian(const double* x, int lanes, std::span<const JacobianEntry> entries, double* s,
                double* values) const override {
    asked += entries.size();
    GaussianField::jacobian(x, lanes, entries, s, values);
  }
  mutable std::size_t asked = 0;
};

TEST(CorrectedField, RequestsOnlyTheEntriesThatItNeeds) {
  const auto base =
      std::make_shared<Counting>(std::vector<double>{0, 0, 0}, std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1}, "");
  const JacobianEntry entries[] = {{0, 0}, {1, 1}, {1, 0}};
  const double x[] = {1, 2, 3};
  double s[3], values[3];
  CorrectedField(base, {2, 0, 0, 0, 3, 0, 0, 0, 4}).jacobian(x, 1, entries, s, values);
  EXPECT_EQ(base->asked, 3u);
  EXPECT_THAT(values, testing::ElementsAre(-2, -3, 0));
  base->asked = 0;
  CorrectedField(base, {2, 1, 1, 1, 3, 1, 1, 1, 4}).jacobian(x, 1, entries, s, values);
  EXPECT_EQ(base->asked, 6u);  // two columns
  EXPECT_THAT(values, testing::ElementsAre(-2, -3, -1));
  EXPECT_THAT(s, testing::ElementsAre(-7, -10, -15));
}

/// Estimates its Jacobian with probes.
class Probed : public GaussianField {
 public:
  using GaussianField::GaussianField;
  void jacobian(const double* x, int lanes, std::span<const JacobianEntry> entries, double* s,
                double* values) const override {
    probed_jacobian(*this, x, lanes, entries, probes(), s, values);
  }
  int probes() const override { return 2; }
};

TEST(CorrectedField, ProbesTheCorrectedScoreIfTheJacobianIsEstimated) {
  const auto base = std::make_shared<Probed>(std::vector<double>{0, 0}, std::vector<double>{2, 1, 1, 3}, "");
  const CorrectedField field(base, {1.5, 0.5, 0, 1});
  EXPECT_EQ(field.probes(), 2);
  const JacobianEntry entries[] = {{0, 0}, {0, 1}};
  const double x[] = {0.3, 0.4};
  double s[2], values[2], expected[2];
  field.jacobian(x, 1, entries, s, values);
  probed_jacobian(field, x, 1, entries, 2, s, expected);
  EXPECT_EQ(values[0], expected[0]);
  EXPECT_EQ(values[1], expected[1]);
}

TEST(LinearCorrection, RejectsAScoreThatIsTooInaccurate) {
  const Samples samples = normal_samples({2, 1}, 500);
  EXPECT_THAT(complaint([&] { linear_correction(*bent(2, -1), samples); }), HasSubstr("too far"));
  EXPECT_THAT(complaint([&] { linear_correction(*bent(2, 0.001), samples); }), HasSubstr("too far"));
  const CallableField broken(2, [](std::span<const double>, std::span<double> s) { s[0] = s[1] = NAN; });
  EXPECT_THAT(complaint([&] { linear_correction(broken, samples); }), HasSubstr("not a finite number"));
  EXPECT_THROW(linear_correction(*bent(3), samples), Error);
  EXPECT_THROW(CorrectedField(bent(2), {1, 2, 3}), Error);
  EXPECT_THROW(CorrectedField(bent(2), {1, 0, 0, NAN}), Error);
}

TEST(LinearCorrection, IsTheSameOnAnyNumberOfThreads) {
  const Samples samples = normal_samples({3, 1}, 5000);
  EXPECT_EQ(linear_correction(*bent(3), samples, CorrectionForm::automatic, 1).matrix,
            linear_correction(*bent(3), samples, CorrectionForm::automatic, 3).matrix);
}

}  // namespace
}  // namespace gfdt::score

#include "gfdt/score/polynomial_correction.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "gfdt/core/error.hpp"
#include "gfdt/random/philox.hpp"
#include "gfdt/score/callable_field.hpp"

namespace gfdt::score {
namespace {

TEST(Monomials, AreAllUpToTheDegreeEachOnce) {
  EXPECT_EQ(Monomials(1, 6).count(), 7);
  EXPECT_EQ(Monomials(3, 4).count(), 35);
  const Monomials monomials(2, 3);
  const double z[] = {2.0, -1.0, 3.0, 0.5};  // two lanes: (2, 3), (−1, 0.5)
  std::vector<double> values(static_cast<std::size_t>(monomials.count()) * 2);
  monomials.evaluate(z, 2, values.data());
  std::vector<double> first;
  for (std::size_t k = 0; k < values.size(); k += 2) first.push_back(values[k]);
  EXPECT_THAT(first, testing::UnorderedElementsAre(1, 2, 3, 4, 6, 9, 8, 12, 18, 27));
}

TEST(Monomials, AreDifferentiated) {
  const Monomials monomials(2, 4);
  const std::size_t count = static_cast<std::size_t>(monomials.count());
  std::vector<double> coefficients(count);
  for (std::size_t k = 0; k < count; ++k) coefficients[k] = 0.3 * static_cast<double>(k) - 1;
  const auto value = [&](const std::vector<double>& c, double x, double y) {
    const double z[] = {x, y};
    std::vector<double> powers(count);
    monomials.evaluate(z, 1, powers.data());
    double total = 0;
    for (std::size_t k = 0; k < count; ++k) total += c[k] * powers[k];
    return total;
  };
  const double h = 1e-5, x = 0.7, y = -1.2;
  EXPECT_NEAR(value(monomials.derivative(coefficients, 0), x, y),
              (value(coefficients, x + h, y) - value(coefficients, x - h, y)) / (2 * h), 1e-8);
  EXPECT_NEAR(value(monomials.derivative(coefficients, 1), x, y),
              (value(coefficients, x, y + h) - value(coefficients, x, y - h)) / (2 * h), 1e-8);
}

/// States of x = m + σ z with z of density ∝ (1 + ½ sin z) N(z): accepted normals. Not Gaussian, score known.
constexpr double centre = 3, sigma = 2;
double exact_score(double x) {
  const double z = (x - centre) / sigma;
  return (-z + 0.5 * std::cos(z) / (1 + 0.5 * std::sin(z))) / sigma;
}

Samples skewed(std::size_t count) {
  Samples samples{{2, 1}, {"x", "y"}, {}, {}};
  const random::Stream normals(7, random::Purpose::initial, 1), chance(7, random::Purpose::sampling, 2);
  std::uint64_t drawn = 0;
  const auto draw = [&] {
    for (;; ++drawn) {
      const double z = normals.normal(drawn);
      if (std::fmod(std::abs(chance.normal(drawn)) * 1000, 1.0) < (1 + 0.5 * std::sin(z)) / 1.5) {
        ++drawn;
        return centre + sigma * z;
      }
    }
  };
  for (std::size_t i = 0; i < count; ++i) {
    samples.values.push_back(draw());
    samples.values.push_back(draw());
    samples.group.push_back(static_cast<std::uint32_t>(i / 100));
  }
  return samples;
}

/// The exact score times 0.8, with a bump: wrong everywhere.
std::shared_ptr<const Field> wrong_field() {
  const auto wrong = [](double x) { return 0.8 * exact_score(x) + 0.2 + 0.1 * (x - centre); };
  return std::make_shared<CallableField>(
      2, [=](std::span<const double> x, std::span<double> s) { s[0] = wrong(x[0]), s[1] = wrong(x[1]); });
}

double mean_square_error(const Field& field, const Samples& samples) {
  double total = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    double s[2];
    field.evaluate(samples[i], 1, s);
    total += std::pow(s[0] - exact_score(samples[i][0]), 2) + std::pow(s[1] - exact_score(samples[i][1]), 2);
  }
  return total / static_cast<double>(samples.size());
}

TEST(PolynomialCorrection, TakesOffWhatPolynomialsCanTell) {
  const Samples samples = skewed(100'000);
  const auto wrong = wrong_field();
  const PolynomialCorrection corrected = polynomial_correction(wrong, samples, 5);
  // What is left is what polynomials of degree 5 do not hold of 0.2 of the score, and noise of 10⁵ samples.
  EXPECT_LT(mean_square_error(*corrected.field, samples), 0.01 * mean_square_error(*wrong, samples));
  EXPECT_NEAR(corrected.distance, 0.5, 0.25);
}

TEST(PolynomialCorrection, MakesSteinsIdentityHoldOnTheSamples) {
  const Samples samples = skewed(2'000);
  const auto field = polynomial_correction(wrong_field(), samples, 3).field;
  double sums[3] = {0, 0, 0};
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double x = samples[i][0], y = samples[i][1];
    double s[2];
    field->evaluate(samples[i], 1, s);
    sums[0] += x * x * x * s[0] + 3 * x * x;
    sums[1] += x * y * s[0] + y;
    sums[2] += x * x * y * s[1] + x * x;
  }
  for (const double sum : sums) EXPECT_NEAR(sum / static_cast<double>(samples.size()), 0, 1e-8);
}

TEST(PolynomialCorrection, LeavesAnExactScoreAlone) {
  const Samples samples = skewed(100'000);
  const auto exact = std::make_shared<CallableField>(
      2, [](std::span<const double> x, std::span<double> s) { s[0] = exact_score(x[0]), s[1] = exact_score(x[1]); });
  // 21 coefficients of relative size 1/√10⁵ each.
  EXPECT_LT(polynomial_correction(exact, samples, 5).distance, 3 * std::sqrt(21 / 1e5));
}

TEST(PolynomialField, DerivativesAreThoseOfItsValues) {
  const Samples samples = skewed(5'000);
  const auto linear = std::make_shared<CallableField>(
      2, [](std::span<const double> x, std::span<double> s) { s[0] = -x[0] + x[1], s[1] = 0.5 * x[0]; },
      [](std::span<const double>, std::span<const double> v, std::span<double> sv) {
        sv[0] = -v[0] + v[1], sv[1] = 0.5 * v[0];
      });
  const auto field = polynomial_correction(linear, samples, 4).field;
  const double h = 1e-5, at[] = {2.5, 3.5};
  const JacobianEntry entries[] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  double s[2], values[4], direction[] = {0.3, -0.7}, sv[2];
  field->jacobian(at, 1, entries, s, values);
  for (int j = 0; j < 2; ++j) {
    double up[] = {at[0], at[1]}, down[] = {at[0], at[1]}, s_up[2], s_down[2];
    up[j] += h;
    down[j] -= h;
    field->evaluate(up, 1, s_up);
    field->evaluate(down, 1, s_down);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(values[2 * i + j], (s_up[i] - s_down[i]) / (2 * h), 1e-7);
  }
  field->differentiate(at, 1, 1, direction, s, sv);
  for (int i = 0; i < 2; ++i)
    EXPECT_NEAR(sv[i], values[2 * i] * direction[0] + values[2 * i + 1] * direction[1], 1e-10);
}

TEST(PolynomialField, IsHeldFixedBeyondTheSamples) {
  const Samples samples = skewed(1'000);
  const auto zero = std::make_shared<CallableField>(
      2, [](std::span<const double>, std::span<double> s) { s[0] = s[1] = 0; },
      [](std::span<const double>, std::span<const double>, std::span<double> sv) { sv[0] = sv[1] = 0; });
  const auto field = polynomial_correction(zero, samples, 3).field;
  const double far[] = {1e3, 3}, farther[] = {1e6, 3};
  const JacobianEntry across[] = {{0, 0}};
  double a[2], b[2], slope = 1;
  field->evaluate(far, 1, a);
  field->jacobian(farther, 1, across, b, &slope);
  EXPECT_EQ(a[0], b[0]);
  EXPECT_EQ(slope, 0);
}

TEST(PolynomialField, RefusesCoefficientsThatDoNotFit) {
  const auto zero =
      std::make_shared<CallableField>(2, [](std::span<const double>, std::span<double> s) { s[0] = s[1] = 0; });
  EXPECT_THROW(PolynomialField(zero, {3, {{0, 0}, {1, 1}}, {-1, -1}, {1, 1}, std::vector<double>(7)}), Error);
}

}  // namespace
}  // namespace gfdt::score

#include "gfdt/score/certificate/stationarity_check.hpp"

#include <gmock/gmock.h>

#include "certificate_cases.hpp"

namespace gfdt::score {
namespace {

using namespace cases;
using testing::HasSubstr;

CertificateTest check_of(const symbolic::Model& model, const Field& field, const Samples& samples, int threads = 1) {
  return stationarity_check(model, field, samples, {.threads = threads}, {});
}

/// s + size·sin(3x)
PointwiseField wavy(double size) {
  return {1, [=](const double* x, double* s) { s[0] = x[0] - x[0] * x[0] * x[0] + size * std::sin(3 * x[0]); },
          [=](const double* x, const double* v, double* sv) {
            sv[0] = (1 - 3 * x[0] * x[0] + 3 * size * std::cos(3 * x[0])) * v[0];
          }};
}

TEST(StationarityCheck, IsZeroForExactScores) {
  EXPECT_LT(check_of(double_well(), double_well_score(), double_well_samples(500, 1)).value, 1e-12);
  EXPECT_LT(check_of(plane_gaussian(), plane_score(), plane_samples(500, 2)).value, 1e-12);
  const CertificateTest ring = check_of(oscillators(), oscillator_score(), oscillator_samples(500, 3));
  EXPECT_LT(ring.value, 1e-12);
  EXPECT_EQ(ring.verdict, Verdict::passed);
}

TEST(StationarityCheck, IsOneForNoScore) {
  const CertificateTest check = check_of(double_well(), scaled(double_well_score(), 0), double_well_samples(500, 1));
  EXPECT_DOUBLE_EQ(check.value, 1);
  EXPECT_EQ(check.verdict, Verdict::failed);
}

TEST(StationarityCheck, DetectsAFactorOfTheScore) {
  // If D is constant and 2F = D s, then a = −(∇·F + F·s) for the score c·s gives b = −c a: |1 − c|/√(1 + c²).
  for (double c : {0.5, 0.8, 1.25})
    EXPECT_NEAR(check_of(double_well(), scaled(double_well_score(), c), double_well_samples(500, 1)).value,
                std::abs(1 - c) / std::sqrt(1 + c * c), 1e-12);
}

TEST(StationarityCheck, FailsAGaussianScoreOfADoubleWell) {
  const CertificateTest check = check_of(double_well(), double_well_gaussian(), double_well_samples(2000, 1));
  EXPECT_GT(check.value, 0.9);
  EXPECT_EQ(check.verdict, Verdict::failed);
  EXPECT_THAT(check.remedy, HasSubstr("noise amplitudes"));
}

TEST(StationarityCheck, ToleratesOnlySmallPointwiseErrors) {
  const Samples samples = double_well_samples(5000, 2);
  EXPECT_EQ(check_of(double_well(), wavy(0.05), samples).verdict, Verdict::passed);
  EXPECT_EQ(check_of(double_well(), wavy(1), samples).verdict, Verdict::failed);
}

TEST(StationarityCheck, ToleratesAScoreInSinglePrecision) {
  PointwiseField exact = oscillator_score();
  auto rounded = [](double* s) {
    for (int i = 0; i < 2 * Ring::sites; ++i) s[i] = static_cast<float>(s[i]);
  };
  const PointwiseField single(
      2 * Ring::sites,
      [=](const double* x, double* s) {
        exact.evaluate(x, 1, s);
        rounded(s);
      },
      [=](const double* x, const double* v, double* sv) {
        double s[2 * Ring::sites];
        exact.differentiate(x, 1, 1, v, s, sv);
        rounded(sv);
      });
  const CertificateTest check = check_of(oscillators(), single, oscillator_samples(500, 3));
  EXPECT_LT(check.value, 1e-5);
  EXPECT_GT(check.value, 1e-12);
}

TEST(StationarityCheck, DetectsAWrongScoreOfOneFieldOfARing) {
  std::vector<double> factor(2 * Ring::sites, 1.0), none(2 * Ring::sites, 0.0);
  std::fill_n(factor.begin(), Ring::sites, 0.0);
  const CertificateTest check =
      check_of(oscillators(), altered(oscillator_score(), factor, none), oscillator_samples(500, 4));
  EXPECT_EQ(check.verdict, Verdict::failed);
}

/// Compares the standard error over groups with the spread over 40 sets of samples: their ratio is within a factor of
/// 1.7 except with probability 1e-4.
TEST(StationarityCheck, StandardErrorIsTheSpreadOverSamples) {
  double total = 0, squares = 0, error = 0;
  constexpr int sets = 40;
  for (std::uint64_t seed = 1; seed <= sets; ++seed) {
    const CertificateTest check = check_of(double_well(), wavy(0.3), double_well_samples(1500, seed));
    total += check.value;
    squares += check.value * check.value;
    error += check.standard_error / sets;
  }
  const double spread = std::sqrt((squares - total * total / sets) / (sets - 1));
  EXPECT_LT(error / spread, 1.7);
  EXPECT_GT(error / spread, 1 / 1.7);
}

TEST(StationarityCheck, IsNotApplicableWithoutAResidual) {
  symbolic::Description jump;
  const symbolic::Model m = symbolic::build(jump.state("x", "-x*(x > 0)", "1"));
  const CertificateTest check = check_of(m, double_well_score(), double_well_samples(500, 1));
  EXPECT_EQ(check.verdict, Verdict::not_applicable);
  EXPECT_NE(check.explanation, "");

  symbolic::Description shared;
  shared.index("k", 24).state("X[k]", "-X[k]");
  shared.diffusion.push_back({"X", {{"w", "1"}}});
  const CertificateTest dense = check_of(symbolic::build(shared), oscillator_score(), oscillator_samples(100, 1));
  EXPECT_EQ(dense.verdict, Verdict::not_applicable);
  EXPECT_THAT(dense.explanation, HasSubstr("all sites"));
}

TEST(StationarityCheck, IsNotApplicableToAScoreWithoutDerivative) {
  class NoDerivative : public Field {
   public:
    NoDerivative() : Field(1) {}
    void evaluate(const double* x, int lanes, double* s) const override { std::copy_n(x, lanes, s); }
    void differentiate(const double*, int, int, const double*, double*, double*) const override {
      throw Error("This score has no derivative.");
    }
    std::string description() const override { return ""; }
  };
  const CertificateTest check = check_of(double_well(), NoDerivative(), double_well_samples(100, 1));
  EXPECT_EQ(check.verdict, Verdict::not_applicable);
  EXPECT_EQ(check.explanation, "This score has no derivative.");
}

TEST(StationarityCheck, IsTheSameOnAnyNumberOfThreads) {
  const Samples samples = double_well_samples(3000, 5);
  EXPECT_EQ(check_of(double_well(), wavy(0.3), samples, 1).value, check_of(double_well(), wavy(0.3), samples, 3).value);
}

}  // namespace
}  // namespace gfdt::score

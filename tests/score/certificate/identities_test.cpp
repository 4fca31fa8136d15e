#include "gfdt/score/certificate/identities.hpp"

#include <gmock/gmock.h>

#include "certificate_cases.hpp"
#include "gfdt/statistics/distribution.hpp"

namespace gfdt::score {
namespace {

using namespace cases;
using testing::HasSubstr;

Identities all(const Field& field, const Samples& samples, int threads = 1) {
  return identities(field, samples, normalisation_of(samples), {.threads = threads}, {});
}

const Identity& of(const std::vector<Identity>& list, const std::string& label, const Samples& samples, int field) {
  for (const Identity& identity : list)
    if (identity.function.label(samples) == label && identity.function.field == field) return identity;
  throw std::runtime_error("no identity for " + label);
}

/// Within five standard errors: a false-alarm rate below 1e-6.
void expect_near(const Identity& identity, double exact) {
  EXPECT_GT(identity.standard_error, 0);
  EXPECT_LT(identity.standard_error, 0.05);
  EXPECT_NEAR(identity.value, exact, 5 * identity.standard_error);
}

const CertificateTest& named(const std::vector<CertificateTest>& checks, const std::string& name) {
  for (const CertificateTest& check : checks)
    if (check.name == name) return check;
  throw std::runtime_error("no check " + name);
}

TEST(TestFunctions, HaveConsistentDerivatives) {
  constexpr double step = 1e-6;
  for (double x : {-1.7, 0.0, 0.4, 2.2}) {
    double values[factors], derivatives[factors], up[factors], down[factors], unused[factors];
    evaluate_factors(&x, 1, values, derivatives);
    const double right = x + step, left = x - step;
    evaluate_factors(&right, 1, up, unused);
    evaluate_factors(&left, 1, down, unused);
    for (int f = 0; f < factors; ++f) EXPECT_NEAR(derivatives[f], (up[f] - down[f]) / (2 * step), 1e-8) << f;
  }
}

TEST(TestFunctions, CoverEveryPairOfARingOnce) {
  EXPECT_EQ(covariance_functions({1, 36}).size(), 36u);
  EXPECT_EQ(covariance_functions({2, 5}).size(), 20u);
  EXPECT_EQ(covariance_functions({3, 1}).size(), 9u);
  EXPECT_EQ(covariance_functions({1, 1000}).size(), 65u);
}

TEST(TestFunctions, AreNamedAfterTheSamples) {
  const Samples ring = oscillator_samples(1, 1);
  const TestFunction f{.field = 0, .own = Factor::linear, .other_field = 1, .offset = -1, .other = Factor::square};
  EXPECT_EQ(f.label(ring), "q[k]*p[k-1]^2");
  EXPECT_EQ((TestFunction{.field = 1, .own = Factor::sine, .other_field = 1}).label(plane_samples(1, 1)), "sin(2y)");
}

TEST(Identities, HoldForExactScores) {
  const PointwiseField fields[] = {double_well_score(), plane_score(), oscillator_score()};
  const Samples samples[] = {double_well_samples(30000, 1), plane_samples(30000, 2), oscillator_samples(3000, 3)};
  for (std::size_t i = 0; i < 3; ++i)
    for (const CertificateTest& check : identity_checks(all(fields[i], samples[i]), samples[i], {})) {
      EXPECT_EQ(check.verdict, Verdict::passed) << check.name << ": " << check.explanation;
      EXPECT_EQ(check.remedy, "");
    }
}

TEST(Identities, ShowAFactorOfTheScore) {
  const Samples samples = plane_samples(20000, 4);
  const Identities found = all(scaled(plane_score(), 0.8), samples);
  expect_near(of(found.covariance, "x", samples, 0), 0.2);
  expect_near(of(found.covariance, "y", samples, 1), 0.2);
  expect_near(of(found.covariance, "y", samples, 0), 0);
}

TEST(Identities, ShowAShiftInUnitsOfOneStandardDeviation) {
  const Samples samples = plane_samples(20000, 5);
  const Identities found = all(altered(plane_score(), {1, 1}, {0.25, 0}), samples);
  expect_near(of(found.mean, "1", samples, 0), 0.25 * Plane::std[0]);
  expect_near(of(found.mean, "1", samples, 1), 0);
}

TEST(Identities, ShowTheKurtosisMissingInAGaussianScore) {
  // ⟨x s⟩ = −1 for the double well gives ⟨x⁴⟩ = ⟨x²⟩ + 1, and then φ = x̂³ gives (3 − κ)/(3√κ).
  constexpr double variance = 1.041794, kurtosis = (variance + 1) / (variance * variance);
  const Samples samples = double_well_samples(20000, 6);
  const Identities found = all(double_well_gaussian(), samples);
  expect_near(of(found.stein, "x^3", samples, 0), (3 - kurtosis) / (3 * std::sqrt(kurtosis)));
  const std::vector<CertificateTest> checks = identity_checks(found, samples, {});
  EXPECT_EQ(named(checks, "mean").verdict, Verdict::passed);
  EXPECT_EQ(named(checks, "covariance").verdict, Verdict::passed);
  EXPECT_EQ(named(checks, "Stein").verdict, Verdict::failed);
}

TEST(Identities, ShowAMissingSquareOfAnotherComponent) {
  // s_y has the error ε(x̂² − 1): the mean and covariance identities hold, and that of φ = x̂² is off by ε⟨x̂²(x̂² −
  // 1)⟩/2 = ε.
  const Samples samples = plane_samples(20000, 7);
  PointwiseField exact = plane_score();
  const PointwiseField wrong(2,
                             [exact](const double* x, double* s) {
                               exact.evaluate(x, 1, s);
                               const double u = (x[0] - Plane::mean[0]) / Plane::std[0];
                               s[1] += 0.3 * (u * u - 1) / Plane::std[1];
                             },
                             {});
  const Identities found = all(wrong, samples);
  expect_near(of(found.stein, "x^2", samples, 1), 0.3);
  EXPECT_EQ(named(identity_checks(found, samples, {}), "covariance").verdict, Verdict::passed);
}

TEST(Identities, ShowMissingNeighboursOnARing) {
  const double variance = [] {
    double total = 0;
    for (int m = 0; m < Ring::sites; ++m)
      total += Ring::temperature / (1 + 4 * Ring::coupling * std::pow(std::sin(std::numbers::pi * m / Ring::sites), 2));
    return total / Ring::sites;
  }();
  const PointwiseField alone(2 * Ring::sites,
                             [=](const double* x, double* s) {
                               for (int i = 0; i < 2 * Ring::sites; ++i)
                                 s[i] = -x[i] / (i < Ring::sites ? variance : Ring::temperature);
                             },
                             {});
  const Samples samples = oscillator_samples(2000, 8);
  const CertificateTest check = named(identity_checks(all(alone, samples), samples, {}), "covariance");
  EXPECT_EQ(check.verdict, Verdict::failed);
  EXPECT_THAT(check.explanation, testing::AnyOf(HasSubstr("<q[k+1] s.q[k]> = 0"), HasSubstr("<q[k-1] s.q[k]> = 0")));
}

/// The joint 99 % intervals of all identities miss zero for one in a hundred sets of samples: five or more of a hundred
/// have a probability of 0.3 %.
TEST(Identities, HaveJointIntervalsOfTheStatedCoverage) {
  int misses = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Samples samples = plane_samples(4000, seed);
    const Identities found = all(plane_score(), samples);
    const double t =
        statistics::student_t_interval(1 - 0.01 / static_cast<double>(found.stein.size()), found.degrees_of_freedom);
    misses +=
        std::ranges::any_of(found.stein, [t](const Identity& i) { return std::abs(i.value) > t * i.standard_error; });
  }
  EXPECT_LT(misses, 5);
}

TEST(Identities, FewSamplesAreUnresolved) {
  const Samples samples = double_well_samples(600, 9);
  const std::vector<CertificateTest> checks = identity_checks(all(double_well_score(), samples), samples, {});
  EXPECT_EQ(named(checks, "covariance").verdict, Verdict::unresolved);
  EXPECT_EQ(named(checks, "covariance").remedy, "Four times as long a run (simulation.length) would tell.");
}

TEST(Identities, DivideASingleGroupAndReportIt) {
  Samples samples = double_well_samples(20000, 10);
  samples.group.assign(samples.size(), 0);
  const Identities found = all(double_well_score(), samples);
  EXPECT_FALSE(found.independent);
  EXPECT_EQ(found.degrees_of_freedom, 15);
  EXPECT_THAT(identity_checks(found, samples, {})[0].explanation, HasSubstr("few independent groups"));
}

TEST(Identities, AScoreThatIsNotFiniteFails) {
  const PointwiseField broken(1, [](const double* x, double* s) { s[0] = x[0] > 1.5 ? std::nan("") : -x[0]; }, {});
  const Samples samples = double_well_samples(2000, 11);
  for (const CertificateTest& check : identity_checks(all(broken, samples), samples, {})) {
    EXPECT_EQ(check.verdict, Verdict::failed);
    EXPECT_EQ(check.explanation, "The score of x is not finite on held-out states.");
  }
}

TEST(Identities, AreTheSameOnAnyNumberOfThreads) {
  const Samples samples = oscillator_samples(1000, 12);
  const Identities one = all(oscillator_score(), samples, 1), three = all(oscillator_score(), samples, 3);
  for (std::size_t i = 0; i < one.stein.size(); ++i) {
    EXPECT_EQ(one.stein[i].value, three.stein[i].value);
    EXPECT_EQ(one.stein[i].standard_error, three.stein[i].standard_error);
  }
}

}  // namespace
}  // namespace gfdt::score

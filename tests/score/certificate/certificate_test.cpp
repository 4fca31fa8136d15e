#include "gfdt/score/certificate/certificate.hpp"

#include <gmock/gmock.h>

#include <set>

#include "certificate_cases.hpp"

namespace gfdt::score {
namespace {

using namespace cases;
using testing::HasSubstr;

std::string spelled(const Certificate& certificate) {
  std::string text;
  for (const CertificateTest& check : certificate.checks) text += check.name + " " + name(check.verdict) + "\n";
  return text;
}

std::string complaint(const Field& field, const Samples& samples, const symbolic::Model* model,
                      const CertificateOptions& options = {}) {
  try {
    certify(field, samples, model, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

constexpr const char* all_passed =
    "mean passed\ncovariance passed\nStein passed\nstationarity passed\nLangevin passed\n";

TEST(Certificate, ExactScoresPass) {
  const symbolic::Model well = double_well(), plane = plane_gaussian(), ring = oscillators();
  for (const Certificate& certificate : {certify(double_well_score(), double_well_samples(30000, 1), &well),
                                         certify(plane_score(), plane_samples(30000, 2), &plane),
                                         certify(oscillator_score(), oscillator_samples(3000, 3), &ring)}) {
    EXPECT_EQ(spelled(certificate), all_passed);
    EXPECT_EQ(certificate.overall, Verdict::passed);
    EXPECT_EQ(certificate.noise_responses, Verdict::passed);
    EXPECT_GT(certificate.evaluations, 0u);
  }
}

TEST(Certificate, AGaussianScoreOfADoubleWellFails) {
  const symbolic::Model well = double_well();
  const Certificate certificate = certify(double_well_gaussian(), double_well_samples(30000, 1), &well);
  EXPECT_EQ(spelled(certificate),
            "mean passed\ncovariance passed\nStein failed\nstationarity failed\nLangevin failed\n");
  EXPECT_EQ(certificate.overall, Verdict::failed);
  for (const CertificateTest& check : certificate.checks)
    EXPECT_EQ(check.remedy.empty(), check.verdict == Verdict::passed);
}

TEST(Certificate, AScoreThatIsTooSmallFails) {
  for (const Certificate& certificate :
       {certify(scaled(double_well_score(), 0.8), double_well_samples(30000, 1), nullptr),
        certify(scaled(plane_score(), 0.8), plane_samples(30000, 2), nullptr),
        certify(scaled(oscillator_score(), 0.8), oscillator_samples(3000, 3), nullptr)})
    EXPECT_EQ(certificate.find("covariance")->verdict, Verdict::failed);
}

TEST(Certificate, AShiftedScoreFails) {
  const Certificate certificate = certify(altered(plane_score(), {1, 1}, {0.2, 0}), plane_samples(30000, 2), nullptr);
  EXPECT_EQ(certificate.find("mean")->verdict, Verdict::failed);
  EXPECT_EQ(certificate.find("Langevin")->verdict, Verdict::failed);
}

TEST(Certificate, AScoreWithOneComponentZeroFails) {
  const symbolic::Model plane = plane_gaussian();
  const Certificate certificate = certify(altered(plane_score(), {1, 0}, {0, 0}), plane_samples(30000, 2), &plane);
  for (const char* check : {"covariance", "Stein", "stationarity", "Langevin"})
    EXPECT_EQ(certificate.find(check)->verdict, Verdict::failed) << check;
}

TEST(Certificate, AScoreThatPointsOutwardsLosesItsChains) {
  const Certificate certificate = certify(scaled(double_well_score(), -1), double_well_samples(5000, 1), nullptr);
  EXPECT_GT(certificate.escaped_chains, 0u);
  EXPECT_EQ(certificate.find("Langevin")->verdict, Verdict::failed);
  EXPECT_THAT(certificate.find("Langevin")->explanation, HasSubstr("ran away"));
}

TEST(Certificate, FewSamplesAreUnresolvedNotFailed) {
  const symbolic::Model well = double_well();
  const Certificate certificate = certify(double_well_score(), double_well_samples(500, 1), &well);
  EXPECT_EQ(certificate.overall, Verdict::unresolved);
}

TEST(Certificate, ShortLangevinRunsAreUnresolved) {
  const Certificate certificate =
      certify(oscillator_score(), oscillator_samples(3000, 3), nullptr, {.langevin_evaluations = 50000});
  EXPECT_LT(certificate.langevin_time, 1);
  EXPECT_EQ(certificate.find("Langevin")->verdict, Verdict::unresolved);
  EXPECT_THAT(certificate.find("Langevin")->explanation, HasSubstr("cut the time short"));
  EXPECT_THAT(certificate.find("Langevin")->remedy, HasSubstr("not moved far"));
}

/// Of 200 sets of 20000 samples of the double well, an exact score failed for none and was unresolved for 2: for the 20
/// sets here, four unresolved ones have a probability below 1e-4.
TEST(Certificate, ExactScoresRarelyRaiseAFalseAlarm) {
  const symbolic::Model well = double_well();
  int unresolved = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Certificate certificate =
        certify(double_well_score(), double_well_samples(20000, seed), &well, {.seed = seed});
    EXPECT_NE(certificate.overall, Verdict::failed) << seed << "\n" << spelled(certificate);
    unresolved += certificate.overall == Verdict::unresolved;
  }
  EXPECT_LT(unresolved, 4);
}

TEST(Certificate, APointwiseErrorFailsForResponsesToNoiseParameters) {
  // Oscillations too short to affect any average.
  const symbolic::Model well = double_well();
  const PointwiseField wavy(
      1, [](const double* x, double* s) { s[0] = x[0] - x[0] * x[0] * x[0] + 0.4 * std::sin(40 * x[0]); },
      [](const double* x, const double* v, double* sv) {
        sv[0] = (1 - 3 * x[0] * x[0] + 16 * std::cos(40 * x[0])) * v[0];
      });
  const Certificate certificate = certify(wavy, double_well_samples(30000, 1), &well);
  EXPECT_EQ(certificate.overall, Verdict::passed);
  EXPECT_EQ(certificate.find("stationarity")->verdict, Verdict::failed);
  EXPECT_EQ(certificate.noise_responses, Verdict::failed);
}

TEST(Certificate, WithoutAModelThereIsNoResidual) {
  const Certificate certificate = certify(plane_score(), plane_samples(30000, 2), nullptr);
  EXPECT_EQ(certificate.find("stationarity")->verdict, Verdict::not_applicable);
  EXPECT_EQ(certificate.overall, Verdict::passed);
  EXPECT_EQ(certificate.noise_responses, Verdict::unresolved);
}

TEST(Certificate, IsTheSameOnAnyNumberOfThreads) {
  const symbolic::Model ring = oscillators();
  const Samples samples = oscillator_samples(1000, 4);
  const Certificate one = certify(oscillator_score(), samples, &ring, {.langevin_chains = 128, .threads = 1});
  const Certificate three = certify(oscillator_score(), samples, &ring, {.langevin_chains = 128, .threads = 3});
  ASSERT_EQ(one.checks.size(), three.checks.size());
  for (std::size_t i = 0; i < one.checks.size(); ++i) {
    EXPECT_EQ(one.checks[i].value, three.checks[i].value);
    EXPECT_EQ(one.checks[i].standard_error, three.checks[i].standard_error);
  }
  EXPECT_EQ(one.marginals[0].langevin, three.marginals[0].langevin);
}

TEST(Certificate, UsesNoMoreSamplesThanRequested) {
  const Certificate certificate = certify(plane_score(), plane_samples(5000, 2), nullptr, {.samples = 1000});
  EXPECT_EQ(certificate.samples, 1000u);
}

TEST(Certificate, ReportsProgressAndCanBeCancelled) {
  const symbolic::Model plane = plane_gaussian();
  const Samples samples = plane_samples(5000, 2);
  std::set<std::string> stages;
  certify(plane_score(), samples, &plane, {}, [&](const Progress& progress) {
    EXPECT_GT(progress.fraction, 0);
    EXPECT_LE(progress.fraction, 1);
    stages.insert(std::string(progress.stage));
  });
  EXPECT_EQ(stages, (std::set<std::string>{"Langevin", "identities", "stationarity"}));

  Cancellation cancellation;
  const Certificate stopped = certify(
      plane_score(), samples, &plane, {},
      [&](const Progress& progress) {
        if (progress.stage == "stationarity") cancellation.request();
      },
      &cancellation);
  EXPECT_TRUE(stopped.cancelled);
  EXPECT_EQ(stopped.overall, Verdict::unresolved);
  EXPECT_NE(stopped.find("mean"), nullptr);
  EXPECT_EQ(stopped.find("stationarity"), nullptr);
  EXPECT_EQ(stopped.find("Langevin"), nullptr);
}

TEST(CertificateError, NamesInconsistentDimensionsAndTooFewSamples) {
  const symbolic::Model plane = plane_gaussian();
  EXPECT_THAT(complaint(double_well_score(), plane_samples(100, 1), nullptr), HasSubstr("1 components"));
  EXPECT_THAT(complaint(double_well_score(), double_well_samples(100, 1), &plane), HasSubstr("the model has 2"));
  EXPECT_THAT(complaint(double_well_score(), double_well_samples(20, 1), nullptr), HasSubstr("20 held-out samples"));
}

TEST(CertificateError, NamesTheInvalidOption) {
  const Samples samples = double_well_samples(100, 1);
  EXPECT_THAT(complaint(double_well_score(), samples, nullptr, {.identity_tolerance = 0}),
              HasSubstr("identity_tolerance is 0"));
  EXPECT_NE((CertificateOptions{.false_alarm = 1}).problem(), "");
  EXPECT_NE((CertificateOptions{.samples = 3}).problem(), "");
  EXPECT_NE((CertificateOptions{.langevin_chains = 0}).problem(), "");
  EXPECT_NE((CertificateOptions{.langevin_time = -1}).problem(), "");
  EXPECT_NE((CertificateOptions{.langevin_evaluations = 0}).problem(), "");
  EXPECT_NE((CertificateOptions{.threads = -1}).problem(), "");
  EXPECT_EQ(CertificateOptions{}.problem(), "");
}

TEST(Verdict, OfSeveralIsTheWorst) {
  using enum Verdict;
  EXPECT_EQ(worst(passed, failed), failed);
  EXPECT_EQ(worst(unresolved, failed), failed);
  EXPECT_EQ(worst(unresolved, passed), unresolved);
  EXPECT_EQ(worst(not_applicable, passed), passed);
  EXPECT_EQ(worst(not_applicable, not_applicable), not_applicable);
}

TEST(Verdict, AccountsForTheErrorBar) {
  EXPECT_EQ(judge(-0.05, 0.04, 0.1), Verdict::passed);
  EXPECT_EQ(judge(0.05, 0.06, 0.1), Verdict::unresolved);
  EXPECT_EQ(judge(-0.15, 0.06, 0.1), Verdict::unresolved);
  EXPECT_EQ(judge(-0.15, 0.04, 0.1), Verdict::failed);
  EXPECT_EQ(judge(std::nan(""), 0.04, 0.1), Verdict::failed);
  EXPECT_EQ(judge(0.0, std::nan(""), 0.1), Verdict::unresolved);
}

}  // namespace
}  // namespace gfdt::score

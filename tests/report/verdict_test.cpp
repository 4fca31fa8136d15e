#include "gfdt/report/verdict.hpp"

#include <gmock/gmock.h>

#include "gfdt/report/findings.hpp"
#include "page_parts.hpp"

namespace gfdt::report {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A calibration without anything to complain about.
CalibrationDocuments flawless() {
  CalibrationDocuments calibration{"auto", sample_calibration("auto"), Json()};
  calibration.result["weak_directions"] = Json::array();
  calibration.result["goodness_of_fit"] = {
      {"chi_square", 1.2}, {"degrees_of_freedom", 2}, {"fitted", 2}, {"p_value", 0.55}, {"level", 0.001}};
  calibration.result["chi_square"] = 1.2;
  return calibration;
}

TEST(CalibrationVerdict, PassesWhereTheModelFits) {
  const Verdict verdict = calibration_verdict(flawless(), "");
  EXPECT_EQ(verdict.outcome, Outcome::passed);
  EXPECT_EQ(
      verdict.sentence,
      "The calibrated model reproduces the 2 targets within their uncertainty with 2 fitted parameters (χ² = 1.2, 2 "
      "degrees of freedom, p = 0.55).");
  EXPECT_EQ(calibration_verdict(flawless(), "Kgmm: ").sentence.find("Kgmm: the calibrated"), 0u);
}

TEST(CalibrationVerdict, FollowsTheEndOfTheSearch) {
  const auto outcome = [](const char* status) {
    CalibrationDocuments calibration = flawless();
    calibration.result["status"] = status;
    return calibration_verdict(calibration, "").outcome;
  };
  for (const char* status : {"within-noise", "simulation-noise", "tolerance"})
    EXPECT_EQ(outcome(status), Outcome::passed) << status;
  for (const char* status : {"iterations", "simulated-time", "small-steps", "noisy-jacobian", "interrupted", "running",
                             "of a later version"})
    EXPECT_EQ(outcome(status), Outcome::warning) << status;
  for (const char* status : {"unreachable", "unstable", "failed"})
    EXPECT_EQ(outcome(status), Outcome::failed) << status;
}

TEST(CalibrationVerdict, WarnsOfWhatLimitsTheAnswer) {
  CalibrationDocuments weak = flawless();
  weak.result["weak_directions"] = Json::array({{{"words", "a"}}, {{"words", "b"}}});
  EXPECT_EQ(calibration_verdict(weak, "").outcome, Outcome::warning);
  EXPECT_THAT(calibration_verdict(weak, "").sentence, HasSubstr("but 2 combinations of parameters are weakly"));
  CalibrationDocuments rejected = flawless();
  rejected.result["goodness_of_fit"]["p_value"] = 1e-5;
  EXPECT_EQ(calibration_verdict(rejected, "").outcome, Outcome::warning);
  EXPECT_THAT(calibration_verdict(rejected, "").sentence, HasSubstr("noise does not explain the mismatch"));
  CalibrationDocuments warned = flawless();
  warned.result["iterations"].back()["warnings"] = Json::array({"It drifts."});
  EXPECT_THAT(calibration_verdict(warned, "").sentence, HasSubstr("the last run has 1 warning"));
  CalibrationDocuments outside = flawless();
  outside.predictive = sample_predictive();
  EXPECT_EQ(calibration_verdict(outside, "").outcome, Outcome::passed);
  outside.predictive["outside"] = Json::array({"The record's third moment."});
  EXPECT_EQ(calibration_verdict(outside, "").outcome, Outcome::warning);
}

TEST(CalibrationVerdict, IsOneSentence) {
  CalibrationDocuments running = flawless();
  running.finished = false;
  for (const CalibrationDocuments& calibration : {flawless(), running}) {
    const std::string sentence = calibration_verdict(calibration, "").sentence;
    EXPECT_TRUE(sentence.ends_with(".")) << sentence;
    EXPECT_EQ(sentence.find(". "), std::string::npos) << sentence;
  }
}

TEST(Findings, AreCounted) {
  const auto finding = [](const char* check, bool passed, bool judged) {
    return Json{{"check", check}, {"passed", passed}, {"judged", judged}, {"verdict", ""}, {"advice", ""}};
  };
  const auto words = [](const Json& findings) { return in_words(count_findings(findings)); };
  EXPECT_EQ(words(Json::array()), "no checks were made");
  EXPECT_EQ(words(Json::array({finding("tails", true, true)})), "the check passed");
  EXPECT_EQ(words(Json::array({finding("tails", true, true), finding("decay", true, true)})), "all 2 checks passed");
  EXPECT_EQ(words(Json::array({finding("tails", true, true), finding("decay", true, false)})),
            "1 check passed, 1 could not be resolved");
  EXPECT_EQ(words(Json::array({finding("tails", false, true), finding("decay", true, true)})),
            "1 of 2 checks failed (tails)");
}

TEST(ResultVerdict, OfAJacobianCountsEntriesAndChecks) {
  RunDocuments run;
  run.jacobian = sample_jacobian();
  std::vector<Verdict> verdicts = verdicts_of(run);
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_EQ(verdicts[0].outcome, Outcome::warning);
  EXPECT_THAT(verdicts[0].sentence, HasSubstr("1 of 1 differ from zero by more than two standard errors; 1 of 1 check "
                                              "failed (tails)."));
  EXPECT_EQ(verdicts[0].explanation, "They are heavy. Run longer.");
  run.jacobian["findings"][0]["passed"] = true;
  EXPECT_EQ(verdicts_of(run)[0].outcome, Outcome::passed);
  run.jacobian["jacobian"][0][0] = nullptr;
  EXPECT_EQ(verdicts_of(run)[0].outcome, Outcome::failed);
}

TEST(ResultVerdict, OfSeveralJacobiansNamesThoseWithFailedChecks) {
  RunDocuments run;
  Json good = sample_jacobian(), bad = sample_jacobian();
  good["name"] = "exact";
  good["findings"][0]["passed"] = true;
  run.jacobian = {{"comparison", Json::array({good, bad})}};
  ASSERT_EQ(verdicts_of(run).size(), 1u);
  EXPECT_EQ(verdicts_of(run)[0].outcome, Outcome::warning);
  EXPECT_THAT(verdicts_of(run)[0].sentence, HasSubstr("by 2 methods; checks failed for 1 method: KGMM score."));
  EXPECT_EQ(verdicts_of(run)[0].explanation, "KGMM score: They are heavy. Run longer.");
  run.jacobian = {{"comparison", Json::array({good, good})}};
  EXPECT_EQ(verdicts_of(run)[0].outcome, Outcome::passed);
}

TEST(ResultVerdict, OfAScoreFollowsItsCertificate) {
  const auto verdict = [](const char* drift, const char* noise) {
    RunDocuments run;
    run.score = {{"method", "kgmm"}, {"certificate", {{"verdict", drift}, {"noise_responses", noise}}}};
    return verdicts_of(run)[0];
  };
  EXPECT_EQ(verdict("passed", "passed").outcome, Outcome::passed);
  EXPECT_THAT(verdict("passed", "passed").sentence, StartsWith("The KGMM score passed its certificate"));
  EXPECT_EQ(verdict("passed", "failed").outcome, Outcome::warning);
  EXPECT_EQ(verdict("unresolved", "passed").outcome, Outcome::warning);
  EXPECT_EQ(verdict("failed", "passed").outcome, Outcome::failed);
}

TEST(ResultVerdict, OfRunsWithoutUsableNumbersIsAFailure) {
  RunDocuments run;
  run.simulation = {{"status", "done"}, {"observables", {"mean"}}, {"simulated_time", 100.0}};
  EXPECT_EQ(verdicts_of(run)[0].outcome, Outcome::passed);
  EXPECT_THAT(verdicts_of(run)[0].sentence, StartsWith("1 statistic was estimated from 100 units"));
  run.simulation["status"] = "unstable";
  EXPECT_EQ(verdicts_of(run)[0].outcome, Outcome::failed);
  RunDocuments response;
  response.response = {{"status", "failed"}, {"observables", {"mean"}}};
  EXPECT_EQ(verdicts_of(response)[0].outcome, Outcome::failed);
}

}  // namespace
}  // namespace gfdt::report

#include "gfdt/results/run_folder/remembering_evaluator.hpp"

#include <gmock/gmock.h>

#include "../score/estimators/field_checks.hpp"
#include "../symbolic/model/paper_models.hpp"
#include "../temporary_folder.hpp"
#include "evaluations.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/score/estimators/gaussian.hpp"
#include "gfdt/score/estimators/kgmm.hpp"
#include "gfdt/score/exact/exact_score.hpp"
#include "gfdt/score/fields/corrected_field.hpp"
#include "gfdt/score/fields/linear_correction.hpp"
#include "gfdt/score/fields/network_field.hpp"
#include "gfdt/score/selection/fit_score.hpp"

namespace gfdt::results {
namespace {

using calibrate::Evaluation;
using calibrate::FittedScores;
using calibrate::Request;
using testing::HasSubstr;
using Mode = RunFolder::Mode;

struct Killed {};

/// Returns numbers derived from the request, together with `scores`; throws Killed at the evaluation with the number
/// `fatal`.
class FakeEvaluator : public calibrate::Evaluator {
 public:
  Evaluation evaluate(const Request& request, const simulate::Control& control) override {
    if (asked == fatal) throw Killed{};
    ++asked;
    Evaluation result = some_evaluation(request.seed);
    for (double& value : result.jacobian) value *= request.parameters[0];
    result.scores = scores;
    result.cancelled = control.cancellation && control.cancellation->requested();
    return result;
  }
  int asked = 0;
  int fatal = -1;
  FittedScores scores;
};

RunDescription run_of(const std::string& name) { return {{{"version", "1"}, {"name", name}}, {}}; }

const symbolic::Model& scalar() {
  static const symbolic::Model model = [] {
    symbolic::Description description;
    description.parameter("a", 1).parameter("b", 2).state("x", "-a*x - b*x^3", "1");
    return symbolic::build(description);
  }();
  return model;
}

/// A search in which each request depends on the previous result.
std::vector<Evaluation> search(calibrate::Evaluator& evaluator, double start = 1) {
  std::vector<Evaluation> answers;
  double at = start;
  for (std::uint64_t i = 0; i < 6; ++i) {
    const auto purpose = i % 2 == 0 ? Request::Purpose::jacobian : Request::Purpose::stability;
    answers.push_back(evaluator.evaluate({purpose, {at}, 10, i + 1}, {}));
    at += std::fmod(answers.back().jacobian[0], 1.0);
  }
  return answers;
}

void expect_same_answers(const std::vector<Evaluation>& a, const std::vector<Evaluation>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) expect_same(a[i], b[i]);
}

TEST(RememberingEvaluator, ResumesBitIdenticallyAfterAnyInterruption) {
  FakeEvaluator plain;
  const std::vector<Evaluation> expected = search(plain);
  for (int killed = 0; killed < 6; ++killed) {
    const TemporaryFolder folder;
    FakeEvaluator first, second;
    first.fatal = killed;
    {
      const RunFolder run(folder.path(), run_of("a"), Mode::fresh);
      RememberingEvaluator evaluator(first, run, scalar(), {"a"});
      EXPECT_THROW(search(evaluator), Killed);
      EXPECT_EQ(evaluator.remembered(), 0u);
    }
    const RunFolder run(folder.path(), run_of("a"), Mode::resume);
    RememberingEvaluator evaluator(second, run, scalar(), {"a"});
    expect_same_answers(search(evaluator), expected);
    EXPECT_EQ(second.asked, 6 - killed);
    EXPECT_EQ(evaluator.remembered(), static_cast<std::size_t>(killed));
    RememberingEvaluator again(second, run, scalar(), {"a"});
    expect_same_answers(search(again), expected);
    EXPECT_EQ(second.asked, 6 - killed);
  }
}

TEST(RememberingEvaluator, RecomputesDeletedStagesAndReportsTruncatedOnes) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path(), run_of("a"), Mode::fresh);
  FakeEvaluator fake;
  RememberingEvaluator first(fake, run, scalar(), {"a"});
  const std::vector<Evaluation> expected = search(first);
  const auto file = folder / "stages/0003-stability.json";
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  RememberingEvaluator second(fake, run, scalar(), {"a"});
  EXPECT_THAT(complaint<Error>([&] { search(second); }), HasSubstr("0003-stability.json' is damaged"));
  std::filesystem::remove(file);
  RememberingEvaluator third(fake, run, scalar(), {"a"});
  expect_same_answers(search(third), expected);
  EXPECT_EQ(fake.asked, 7);
}

TEST(RememberingEvaluator, RejectsResultsOfAnotherRequest) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path(), run_of("a"), Mode::fresh);
  FakeEvaluator fake;
  RememberingEvaluator first(fake, run, scalar(), {"a"});
  search(first);
  RememberingEvaluator second(fake, run, scalar(), {"a"});
  EXPECT_THAT(complaint<Error>([&] { search(second, std::nextafter(1.0, 2.0)); }),
              HasSubstr("0000-jacobian.json' does not belong to this calibration"));
  RememberingEvaluator third(fake, run, scalar(), {"a"});
  EXPECT_THAT(complaint<Error>([&] {
                third.evaluate({Request::Purpose::statistics, {1}, 10, 1}, {});
              }),
              HasSubstr("does not belong to this calibration"));
}

TEST(RememberingEvaluator, DoesNotStoreCancelledEvaluations) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path(), run_of("a"), Mode::fresh);
  FakeEvaluator fake;
  RememberingEvaluator evaluator(fake, run, scalar(), {"a"});
  Cancellation cancellation;
  cancellation.request();
  simulate::Control control;
  control.cancellation = &cancellation;
  EXPECT_TRUE(evaluator.evaluate({Request::Purpose::jacobian, {1}, 10, 1}, control).cancelled);
  EXPECT_FALSE(run.read_stage(0));
  EXPECT_FALSE(evaluator.evaluate({Request::Purpose::jacobian, {1}, 10, 1}, {}).cancelled);
  EXPECT_TRUE(run.read_stage(0));
}

/// The scores that a second evaluator reads from the folder.
FittedScores recalled(const symbolic::Model& model, const FittedScores& scores) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path(), run_of("a"), Mode::fresh);
  FakeEvaluator fake;
  fake.scores = scores;
  const Request request{Request::Purpose::jacobian, {1.25}, 10, 1};
  RememberingEvaluator(fake, run, model, {model.parameters[0].name}).evaluate(request, {});
  RememberingEvaluator again(fake, run, model, {model.parameters[0].name});
  FittedScores result = again.evaluate(request, {}).scores;
  EXPECT_EQ(fake.asked, 1);
  return result;
}

void expect_same_bits(const score::Field& a, const score::Field& b) {
  ASSERT_EQ(a.dimension(), b.dimension());
  constexpr int lanes = 37;
  const std::vector<double> x = score::normal_block(a.dimension(), lanes);
  const std::vector<double> v = score::normal_block(a.dimension(), lanes, 2);
  std::vector<double> s(x.size()), sv(x.size()), other_s(x.size()), other_sv(x.size());
  a.differentiate(x.data(), lanes, 1, v.data(), s.data(), sv.data());
  b.differentiate(x.data(), lanes, 1, v.data(), other_s.data(), other_sv.data());
  EXPECT_EQ(s, other_s);
  EXPECT_EQ(sv, other_sv);
}

TEST(RememberingEvaluator, FittedScoresAreReadBackBitIdentically) {
  symbolic::Description plane;
  plane.parameter("a", 1).state("x", "-a*x - x^3 + y", "1").state("y", "-y", "0.7");
  const symbolic::Model model = symbolic::build(plane);
  const score::Samples samples = score::normal_samples({2, 1}, 4000);
  score::Options options{.method = score::Method::kgmm, .epochs = 3, .seed = 3, .threads = 1};
  const auto kgmm = score::fit_score(model, samples, options).field;
  ASSERT_NE(dynamic_cast<const score::CorrectedField*>(kgmm.get()), nullptr);
  const auto gaussian = std::make_shared<score::GaussianField>(score::fit_gaussian(samples));
  const FittedScores scores = recalled(model, {kgmm, gaussian});
  ASSERT_EQ(scores.size(), 2u);
  expect_same_bits(*scores[0], *kgmm);
  expect_same_bits(*scores[1], *gaussian);

  const symbolic::Model ring = symbolic::build(symbolic::lorenz96(20));
  options.method = score::Method::patch;
  options.radius = 3;
  const auto patch = score::fit_score(ring, score::normal_samples({1, 20}, 2000), options).field;
  const FittedScores patches = recalled(ring, {patch});
  ASSERT_EQ(patches.size(), 1u);
  expect_same_bits(*patches[0], *patch);
}

TEST(RememberingEvaluator, TrainingFromAStoredScoreIsBitIdentical) {
  const score::Samples samples = score::normal_samples({1, 1}, 3000), next = score::normal_samples({1, 1}, 3000, 6);
  const score::Options options{.method = score::Method::kgmm, .epochs = 3, .seed = 3, .threads = 1};
  const auto start = score::fit_score(scalar(), samples, options).field;
  const FittedScores scores = recalled(scalar(), {start});
  ASSERT_EQ(scores.size(), 1u);
  const auto one = score::fit_score(scalar(), next, options, start.get()).field,
             other = score::fit_score(scalar(), next, options, scores[0].get()).field,
             without = score::fit_score(scalar(), next, options).field;
  expect_same_bits(*one, *other);
  const double x = 0.3;
  double from_start = 0, from_nothing = 0;
  one->evaluate(&x, 1, &from_start);
  without->evaluate(&x, 1, &from_nothing);
  EXPECT_NE(from_start, from_nothing);
}

TEST(RememberingEvaluator, DoesNotStoreScoresFromFormulas) {
  const std::shared_ptr<const score::Field> exact = score::exact_score(scalar());
  ASSERT_NE(exact, nullptr);
  EXPECT_TRUE(recalled(scalar(), {exact}).empty());
  EXPECT_TRUE(
      recalled(scalar(),
               {std::make_shared<score::GaussianField>(std::vector<double>{0.0}, std::vector<double>{1.0}, ""), exact})
          .empty())
      << "both or none";
}

TEST(RememberingEvaluator, StoredScoresNameTheirMethodAndParameters) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path(), run_of("a"), Mode::fresh);
  FakeEvaluator fake;
  fake.scores = {
      std::make_shared<score::GaussianField>(std::vector<double>{0.0}, std::vector<double>{1.0}, "Gaussian")};
  RememberingEvaluator(fake, run, scalar(), {"b"}).evaluate({Request::Purpose::jacobian, {1.25}, 10, 1}, {});
  const std::string text = text_of(folder / "stages/0000-score-0.json");
  EXPECT_THAT(text, HasSubstr("\"method\":\"kgmm\"")) << "as the columns say";
  EXPECT_THAT(text, HasSubstr("\"parameters\":{\"a\":1.0,\"b\":1.25}"));
}

}  // namespace
}  // namespace gfdt::results

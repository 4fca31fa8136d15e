#include "gfdt/results/run_folder/remembering_evaluator.hpp"

#include <fmt/format.h>

#include "gfdt/base/error.hpp"
#include "gfdt/results/json/evaluation_json.hpp"
#include "gfdt/results/json/score_file.hpp"

namespace gfdt::results {
namespace {

using calibrate::Evaluation;
using calibrate::Request;

/// The method in parentheses, as in "gfdt (kgmm)", from the first column that states one.
score::Method method_of(const Evaluation& evaluation) {
  for (const std::string& words : evaluation.methods) {
    const std::size_t open = words.find('('), close = words.find(')');
    if (open == std::string::npos || close == std::string::npos || close < open) continue;
    const auto method = score::method_named(words.substr(open + 1, close - open - 1));
    if (method && *method != score::Method::exact) return *method;
  }
  return score::Method::automatic;
}

}  // namespace

RememberingEvaluator::RememberingEvaluator(calibrate::Evaluator& evaluator, const RunFolder& folder,
                                           const symbolic::Model& model, std::vector<std::string> free)
    : evaluator_(evaluator), folder_(folder), model_(model), free_(std::move(free)) {}

Evaluation RememberingEvaluator::evaluate(const Request& request, const simulate::Control& control) {
  if (std::optional<Evaluation> known = remembered(request)) return std::move(*known);
  Evaluation evaluation = evaluator_.evaluate(request, control);
  keep(request, evaluation);
  return evaluation;
}

std::vector<Evaluation> RememberingEvaluator::evaluate_all(std::span<const Request> requests,
                                                           const simulate::Control& control) {
  std::vector<Evaluation> answers;
  while (answers.size() < requests.size()) {
    std::optional<Evaluation> known = remembered(requests[answers.size()]);
    if (!known) break;
    answers.push_back(std::move(*known));
  }
  const std::span<const Request> rest = requests.subspan(answers.size());
  if (rest.empty()) return answers;
  const std::vector<Evaluation> fresh = evaluator_.evaluate_all(rest, control);
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    keep(rest[i], fresh[i]);
    answers.push_back(fresh[i]);
  }
  return answers;
}

std::optional<Evaluation> RememberingEvaluator::remembered(const Request& request) {
  std::optional<Stage> stage = folder_.read_stage(next_);
  if (!stage) return {};
  Evaluation evaluation = recall(std::move(*stage), request);
  ++next_;
  ++remembered_;
  return evaluation;
}

void RememberingEvaluator::keep(const Request& request, const Evaluation& evaluation) {
  if (evaluation.cancelled) return;
  folder_.write_stage(next_, {request, evaluation, score_texts(request, evaluation), {}});
  ++next_;
}

Evaluation RememberingEvaluator::recall(Stage stage, const Request& request) const {
  if (!same_request(stage.request, request))
    throw Error(fmt::format("The checkpoint '{}' does not belong to this calibration: it answers another request.",
                            stage.file.string()));
  for (std::size_t i = 0; i < stage.scores.size(); ++i) {
    try {
      const std::string name = folder_.score_file(next_, i).string();
      stage.evaluation.scores.push_back(parse_score(stage.scores[i], name, model_, Belonging::model).field);
    } catch (const Error& error) {
      throw Error(
          fmt::format("A score of the checkpoint '{}' cannot be used. {} Delete the checkpoint and --resume "
                      "computes that stage again.",
                      stage.file.string(), error.what()));
    }
  }
  return std::move(stage.evaluation);
}

std::vector<std::string> RememberingEvaluator::score_texts(const Request& request, const Evaluation& evaluation) const {
  symbolic::Model at = model_;
  for (std::size_t i = 0; i < std::min(free_.size(), request.parameters.size()); ++i)
    for (symbolic::Parameter& parameter : at.parameters)
      if (parameter.name == free_[i]) parameter.value = request.parameters[i];
  std::vector<std::string> texts;
  for (const auto& field : evaluation.scores) {
    if (!field) return {};
    try {
      texts.push_back(score_text(at, method_of(evaluation), *field, {}));
    } catch (const Error&) {  // a score from formulas or from the user's program is recomputed instead
      return {};
    }
  }
  return texts;
}

}  // namespace gfdt::results

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "gfdt/report/document.hpp"
#include "gfdt/report/prose.hpp"
#include "gfdt/report/verdict.hpp"

namespace gfdt::report {
namespace {

/// How the search ended, from the status in the document.
enum class End { at_answer, within_tolerance, early, rejected, broken };

struct Ending {
  const char* status;
  End end;
  const char* why;  ///< of a search that ended early or broke down
};

constexpr std::array<Ending, 12> endings{{
    {"within-noise", End::at_answer, ""},
    {"simulation-noise", End::at_answer, ""},
    {"tolerance", End::within_tolerance, ""},
    {"unreachable", End::rejected, ""},
    {"running", End::early, "it is still running"},
    {"interrupted", End::early, "it was interrupted"},
    {"iterations", End::early, "it reached its limit of iterations"},
    {"simulated-time", End::early, "it reached its limit of simulated time"},
    {"small-steps", End::early, "its steps became too small to reduce the mismatch"},
    {"noisy-jacobian", End::early, "the Jacobian is too noisy to find a better step"},
    {"unstable", End::broken, "the model is unstable at the parameters that the search tried"},
    {"failed", End::broken, "the model could not be evaluated"},
}};

Ending ending_of(const CalibrationDocuments& calibration) {
  const std::string status = text_of(calibration.result, "status");
  for (const Ending& ending : endings)
    if (status == ending.status) return ending;
  return {"", End::early, "it ended in an unknown way"};
}

std::size_t size_of(const Json& list) { return list.is_array() ? list.size() : 0; }

/// "χ² = 0.39, 1 degree of freedom, p = 0.54"
std::string fit_text(const Json& result) {
  const Json& fit = entry(result, "goodness_of_fit");
  const double freedom = number_of(fit, "degrees_of_freedom"), p = number_of(fit, "p_value");
  std::string text = fmt::format("χ² = {:.3g}", number_of(result, "chi_square"));
  if (!(freedom > 0)) return text;
  text += fmt::format(", {}", counted(static_cast<std::size_t>(freedom), "degree") + " of freedom");
  if (std::isfinite(p)) text += p < 1e-9 ? ", p < 1e-9" : fmt::format(", p = {:.2g}", p);
  return text;
}

/// Limits of an answer that is otherwise right, most important first.
std::vector<std::string> limits_of(const CalibrationDocuments& calibration) {
  const Json& result = calibration.result;
  std::vector<std::string> limits;
  if (const std::size_t weak = size_of(entry(result, "weak_directions")); weak > 0)
    limits.push_back(weak == 1 ? "one combination of parameters is weakly constrained"
                               : fmt::format("{} combinations of parameters are weakly constrained", weak));
  const Json& iterations = entry(result, "iterations");
  std::size_t warnings = 0;
  if (iterations.is_array())
    for (const Json& iteration : iterations)
      if (entry(iteration, "accepted") != false) warnings = size_of(entry(iteration, "warnings"));
  if (warnings > 0) limits.push_back(fmt::format("the last run has {}", counted(warnings, "warning")));
  if (size_of(entry(calibration.predictive, "outside")) > 0)
    limits.emplace_back("some features of the record are outside the posterior predictive bands");
  return limits;
}

bool is_rejected(const Json& result) {
  const Json& fit = entry(result, "goodness_of_fit");
  return number_of(fit, "degrees_of_freedom") > 0 && number_of(fit, "p_value") < number_of(fit, "level");
}

std::string answer_sentence(const Json& result, End end) {
  const std::string targets = counted(size_of(entry(entry(result, "targets"), "observables")), "target"),
                    parameters = counted(keys_of(entry(result, "parameters")).size(), "fitted parameter");
  if (end == End::within_tolerance)
    return fmt::format("The calibrated model reproduces the {} with {} to within the tolerance ({})", targets,
                       parameters, fit_text(result));
  if (number_of(entry(result, "goodness_of_fit"), "degrees_of_freedom") == 0)
    return fmt::format(
        "The calibrated model reproduces the {} with {}, which leaves no degree of freedom to test the fit", targets,
        parameters);
  return fmt::format("The calibrated model reproduces the {} within their uncertainty with {} ({})", targets,
                     parameters, fit_text(result));
}

/// "KGMM score: the search …"; a sentence by itself begins with a capital.
std::string after(const std::string& whose, std::string sentence) {
  if (!whose.empty() && sentence.starts_with("The ")) sentence[0] = 't';
  return whose + sentence;
}

}  // namespace

Verdict calibration_verdict(const CalibrationDocuments& calibration, const std::string& whose) {
  const Json& result = calibration.result;
  const Ending ending = ending_of(calibration);
  const std::string explanation = text_of(result, "explanation");
  if (!calibration.finished)
    return {Outcome::warning,
            after(whose, fmt::format("The calibration has not finished: this page shows the results after {}.",
                                     counted(size_of(entry(result, "iterations")), "evaluation"))),
            explanation};
  const std::vector<std::string> limits = limits_of(calibration);
  switch (ending.end) {
    case End::broken:
      return {Outcome::failed, after(whose, fmt::format("The calibration has no answer: {}.", ending.why)),
              explanation};
    case End::rejected:
      return {
          Outcome::failed,
          after(whose, fmt::format("The model cannot reproduce the targets with any parameters near the answer ({}).",
                                   fit_text(result))),
          explanation};
    case End::early:
      return {Outcome::warning,
              after(whose, fmt::format("The search has not converged: {}{}.", ending.why,
                                       limits.empty() ? "" : ", and " + limits[0])),
              explanation};
    case End::at_answer:
    case End::within_tolerance:
      break;
  }
  if (is_rejected(result))
    return {Outcome::warning,
            after(whose, fmt::format("The search converged, but noise does not explain the mismatch that remains ({}).",
                                     fit_text(result))),
            explanation};
  const std::string sentence = after(whose, answer_sentence(result, ending.end));
  if (limits.empty()) return {Outcome::passed, sentence + ".", explanation};
  return {Outcome::warning, fmt::format("{}, but {}.", sentence, limits[0]), explanation};
}

}  // namespace gfdt::report

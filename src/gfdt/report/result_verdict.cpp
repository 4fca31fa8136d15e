#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "gfdt/report/document.hpp"
#include "gfdt/report/findings.hpp"
#include "gfdt/report/jacobian_view.hpp"
#include "gfdt/report/labels.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/prose.hpp"
#include "gfdt/report/verdict.hpp"

namespace gfdt::report {
namespace {

/// A document whose numbers cannot be used has failed; one with failed checks needs a look.
Outcome outcome_of(const std::string& status, const FindingCounts& counts) {
  if (!status.empty() && status != "done") return Outcome::failed;
  return counts.failed.empty() ? Outcome::passed : Outcome::warning;
}

/// Why a document without numbers has none: the findings that failed.
std::string reasons(const Json& findings) {
  std::string text;
  for (const Check& check : checks_of(findings).checks)
    if (check.verdict == "failed") text += fmt::format("{}{} {}", text.empty() ? "" : " ", check.text, check.advice);
  return text;
}

Verdict verdict_on(const std::string& done, const std::string& failed, const Json& document) {
  const FindingCounts counts = count_findings(entry(document, "findings"));
  const Outcome outcome = outcome_of(text_of(document, "status"), counts);
  return {outcome, fmt::format("{}; {}.", outcome == Outcome::failed ? failed : done, in_words(counts)),
          reasons(entry(document, "findings"))};
}

/// "12 of 15 differ from zero by more than two standard errors, 1 could not be estimated"
std::string entries_text(const JacobianView& view) {
  std::size_t significant = 0, missing = 0, all = 0;
  for (std::size_t m = 0; m < view.observables.size(); ++m)
    for (std::size_t j = 0; j < view.parameters.size(); ++j, ++all) {
      missing += !std::isfinite(at(view.value, m, j));
      significant += std::abs(at(view.value, m, j)) > 2 * at(view.error, m, j);
    }
  std::string text = fmt::format("{} of {} differ from zero by more than two standard errors", significant, all);
  if (missing > 0) text += fmt::format(", {} could not be estimated", missing);
  return text;
}

bool is_complete(const JacobianView& view) {
  return std::ranges::all_of(view.value, [](const std::vector<double>& row) {
    return std::ranges::all_of(row, [](double value) { return std::isfinite(value); });
  });
}

/// "The derivatives of 3 statistics with respect to 5 parameters were estimated"
std::string derivatives_text(const JacobianView& view) {
  return fmt::format("The derivatives of {} with respect to {} were estimated",
                     counted(view.observables.size(), "statistic"), counted(view.parameters.size(), "parameter"));
}

Verdict jacobian_verdict(const JacobianView& view) {
  const FindingCounts counts = count_findings(view.findings);
  std::string sentence = fmt::format("{}: {}", derivatives_text(view), entries_text(view));
  if (counts.all() > 0) sentence += "; " + in_words(counts);
  return {!is_complete(view) ? Outcome::failed : outcome_of("", counts), sentence + ".", reasons(view.findings)};
}

/// Several methods: those whose checks failed are named.
Verdict jacobians_verdict(const std::vector<JacobianView>& views) {
  Verdict verdict{Outcome::passed, fmt::format("{} by {}", derivatives_text(views[0]), counted(views.size(), "method")),
                  ""};
  std::vector<std::string> failed;
  for (const JacobianView& view : views) {
    if (const FindingCounts counts = count_findings(view.findings); is_complete(view) && counts.failed.empty())
      continue;
    failed.push_back(view.name);
    if (const std::string why = reasons(view.findings); !why.empty())
      verdict.explanation += fmt::format("{}{}: {}", verdict.explanation.empty() ? "" : " ", view.name, why);
  }
  if (!failed.empty()) verdict.outcome = failed.size() < views.size() ? Outcome::warning : Outcome::failed;
  verdict.sentence += failed.empty() ? "; all checks of each method passed."
                                     : fmt::format("; checks failed for {}: {}.", counted(failed.size(), "method"),
                                                   fmt::join(failed, ", "));
  return verdict;
}

Verdict score_verdict(const Json& score) {
  const Json& certificate = entry(score, "certificate");
  const std::string drift = text_of(certificate, "verdict"), noise = text_of(certificate, "noise_responses"),
                    method = method_label(text_of(score, "method"));
  const FindingCounts counts = count_findings(entry(score, "findings"));
  const std::string why = reasons(entry(score, "findings"));
  if (drift == "passed" && noise != "failed")
    return {counts.failed.empty() ? Outcome::passed : Outcome::warning,
            fmt::format("The {} passed its certificate: it can be used for responses to drift parameters{}; {}.",
                        method, noise == "passed" ? " and noise amplitudes" : "", in_words(counts)),
            why};
  if (drift == "passed")
    return {Outcome::warning,
            fmt::format("The {} can be used for responses to drift parameters, but not to noise amplitudes.", method),
            why};
  if (drift == "failed" || text_of(score, "status") == "no fit")
    return {Outcome::failed, fmt::format("The {} failed its certificate: its responses cannot be trusted.", method),
            why};
  return {Outcome::warning,
          fmt::format("The certificate of the {} is not conclusive: longer runs are needed to decide.", method), why};
}

}  // namespace

std::vector<Verdict> verdicts_of(const RunDocuments& run) {
  std::vector<Verdict> verdicts;
  for (std::size_t i = 0; i < run.calibrations.size(); ++i)
    verdicts.push_back(calibration_verdict(run.calibrations[i], calibration_prefix(run, i)));
  if (!verdicts.empty()) return verdicts;
  if (const std::vector<JacobianView> views = jacobians_of(run); !views.empty())
    return {views.size() > 1 ? jacobians_verdict(views) : jacobian_verdict(views[0])};
  if (!run.response.is_null())
    return {verdict_on(fmt::format("The responses of {} were estimated",
                                   counted(texts_of(run.response, "observables").size(), "statistic")),
                       "The responses could not be estimated", run.response)};
  if (!run.score.is_null()) return {score_verdict(run.score)};
  if (!run.simulation.is_null())
    return {verdict_on(fmt::format("{} estimated from {} units of simulated time",
                                   counted(texts_of(run.simulation, "observables").size(), "statistic") +
                                       (texts_of(run.simulation, "observables").size() == 1 ? " was" : " were"),
                                   brief(number_of(run.simulation, "simulated_time"))),
                       "The statistics cannot be used", run.simulation)};
  return verdicts;
}

}  // namespace gfdt::report

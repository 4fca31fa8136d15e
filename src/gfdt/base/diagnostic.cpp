#include "gfdt/base/diagnostic.hpp"

#include <algorithm>

namespace gfdt {

const char* name(Check check) {
  switch (check) {
    case Check::completion:
      return "completion";
    case Check::stability:
      return "stability";
    case Check::definedness:
      return "definedness";
    case Check::variation:
      return "variation";
    case Check::stationarity:
      return "stationarity";
    case Check::time_dependence:
      return "time dependence";
    case Check::mixing:
      return "mixing";
    case Check::events:
      return "events";
    case Check::tails:
      return "tails";
    case Check::burn_in:
      return "burn-in";
    case Check::time_step:
      return "time step";
    case Check::metastability:
      return "metastability";
    case Check::rare_states:
      return "rare states";
    case Check::control_variate:
      return "control variate";
    case Check::held_out_run:
      return "held-out run";
    case Check::score:
      return "score";
    case Check::score_drift:
      return "score, drift";
    case Check::score_noise:
      return "score, noise";
    case Check::noise:
      return "noise";
    case Check::decay:
      return "decay";
    case Check::weights:
      return "weights";
    case Check::columns:
      return "columns";
    case Check::error_bars:
      return "error bars";
    case Check::accuracy:
      return "accuracy";
    case Check::start:
      return "start";
    case Check::conjugate:
      return "conjugate";
    case Check::perturbed_ensemble:
      return "perturbed ensemble";
    case Check::simulator:
      return "simulator";
  }
  return "";
}

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::warning:
      return "warning";
    case Verdict::failed:
      return "failed";
    case Verdict::unresolved:
      return "unresolved";
    case Verdict::not_applicable:
      return "not applicable";
  }
  return "";
}

bool usable(std::span<const Diagnostic> diagnostics) {
  return std::ranges::all_of(diagnostics, [](const Diagnostic& d) { return d.verdict != Verdict::failed || d.local; });
}

bool complete(std::span<const Diagnostic> diagnostics) {
  return std::ranges::all_of(diagnostics, [](const Diagnostic& d) { return d.verdict != Verdict::failed; });
}

void replace(std::vector<Diagnostic>& diagnostics, Diagnostic diagnostic) {
  const auto known = std::ranges::find(diagnostics, diagnostic.check, &Diagnostic::check);
  if (known != diagnostics.end())
    *known = std::move(diagnostic);
  else
    diagnostics.push_back(std::move(diagnostic));
}

}  // namespace gfdt

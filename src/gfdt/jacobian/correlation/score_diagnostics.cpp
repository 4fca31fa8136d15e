#include "gfdt/jacobian/correlation/score_diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/base/rounded_up.hpp"

namespace gfdt::jacobian {
namespace {

using score::Certificate;

Verdict worst(const std::vector<Certificate>& certificates, Verdict Certificate::*which) {
  const auto is = [&](Verdict verdict) {
    return std::ranges::any_of(certificates, [&](const Certificate& c) { return c.*which == verdict; });
  };
  for (const Verdict verdict : {Verdict::failed, Verdict::unresolved, Verdict::not_applicable})
    if (is(verdict)) return verdict;
  return Verdict::passed;
}

Diagnostic certificate_diagnostic(Check check, const std::string& what, Verdict verdict) {
  Diagnostic result{.check = check};
  switch (verdict) {
    case Verdict::passed:
      result.text = fmt::format("The score's certificate passed for responses to {}.", what);
      break;
    case Verdict::failed:
      result.verdict = Verdict::warning;
      result.text = fmt::format("The score's certificate failed for responses to {}.", what);
      result.remedy =
          "Their error bars do not include the bias of such a score. 'gfdt score' shows what failed; ten times "
          "score.samples "
          "or another --score may help; --method likelihood-ratio and finite-difference need no score.";
      break;
    case Verdict::warning:
    case Verdict::unresolved:
    case Verdict::not_applicable:
      result.verdict = Verdict::unresolved;
      result.text = fmt::format("The score's certificate could not tell for responses to {}.", what);
      break;
  }
  return result;
}

}  // namespace

std::vector<Diagnostic> score_diagnostics(const ScoreFits& score) {
  std::vector<Diagnostic> result;
  if (score.kept) result.push_back(*score.kept);
  if (!score.caution.empty())
    result.push_back(
        {.check = Check::score,
         .verdict = Verdict::warning,
         .text = score.caution,
         .remedy =
             "A learned score that is fitted to one half of the members and evaluated on the other (--score kgmm, dsm "
             "or patch, with response.cross_fit = true) is certified; --method "
             "likelihood-ratio and finite-difference need no score."});
  if (!result.empty() || score.certificates.empty()) return result;
  return {
      certificate_diagnostic(Check::score_drift, "drift parameters", worst(score.certificates, &Certificate::overall)),
      certificate_diagnostic(Check::score_noise, "noise amplitudes",
                             worst(score.certificates, &Certificate::noise_responses))};
}

Diagnostic no_noise() {
  return {.check = Check::noise,
          .verdict = Verdict::warning,
          .text = "The model has no noise: its states may fill no volume, and then their density has no score.",
          .remedy = "A little noise on every state makes one; --method finite-difference needs none."};
}

std::vector<Diagnostic> window_diagnostics(const ResponsePass& pass, const Segments& segments, double length,
                                           bool given) {
  Diagnostic decay{.check = Check::decay};
  const double memory = pass.memory.time;
  if (given && window_end * memory > pass.window.end) {
    decay.verdict = Verdict::warning;
    decay.text = fmt::format("The given window ends at {:g}, and {} remembers for {:.3g}: the integral is cut short.",
                             pass.window.end, pass.memory.slowest, memory);
    decay.remedy = fmt::format("Leave out response.window: it would reach from {:.3g} to {:.3g}.",
                               window_start * memory, window_end * memory);
  } else if (!given && !pass.memory.resolved) {
    decay.verdict = Verdict::failed;
    decay.text = fmt::format(
        "Correlations do not decay: that of {} is above {:.0f} % until lag {:.3g}, and lags up to {:.3g} can be looked "
        "at in members of length {:g}{}.",
        pass.memory.slowest, 100 * faint, memory, pass.correlations->bins().longest(), length,
        segments.per_member > 1 ? fmt::format(", cut into {} segments for the error bars", segments.per_member) : "");
    decay.remedy =
        fmt::format("Members should be at least {:g} long (simulation.length){}.",
                    rounded_up(16 * memory * static_cast<double>(segments.per_member)),
                    segments.per_member > 1 ? fmt::format(", or there should be {} of them", wanted_units) : "");
  } else if (!given && !pass.settling.settled) {
    decay.verdict = Verdict::warning;
    decay.text = fmt::format("The response {} still moves beyond the window, by {:.1f} standard errors.",
                             pass.settling.entry, pass.settling.most);
    decay.remedy = fmt::format("Members {:g} long (simulation.length) would allow to look at longer lags.",
                               rounded_up(3 * length));
  } else {
    decay.text = given ? "Correlations decay before the end of the given window."
                       : fmt::format(
                             "Correlations decay within {:.3g} (the slowest: {}), and no response moves "
                             "beyond the window.",
                             memory, pass.memory.slowest);
  }
  return {decay};
}

}  // namespace gfdt::jacobian

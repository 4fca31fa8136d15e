#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gfdt {

/// The subject of a diagnostic.
enum class Check : std::uint8_t {
  completion,          ///< the run was not stopped before its end
  stability,           ///< members did not blow up
  definedness,         ///< observables are finite
  variation,           ///< observables vary
  stationarity,        ///< averages do not drift
  time_dependence,     ///< averages of a periodic model cover whole periods
  mixing,              ///< members are long compared with autocorrelation times
  events,              ///< conditions became true and false often enough
  tails,               ///< means and variances of the observables exist
  burn_in,             ///< the burn-in and the reason for it
  time_step,           ///< bias of averages by the time step
  metastability,       ///< other wells that the run did not visit
  rare_states,         ///< effect of states that the run has hardly visited
  control_variate,     ///< variance reduction of the statistics
  held_out_run,        ///< a control variate on a run that it was not fitted to
  score,               ///< the certificate of a score
  score_drift,         ///< the same, for responses to drift parameters
  score_noise,         ///< the same, for responses to noise amplitudes
  noise,               ///< a density exists, since the model has noise
  decay,               ///< correlations decay within the lag window
  weights,             ///< likelihood-ratio weights of replaced members
  columns,             ///< all columns of a Jacobian could be estimated
  error_bars,          ///< standard errors could be estimated
  accuracy,            ///< the requested accuracy was reached
  start,               ///< the distribution of initial states
  conjugate,           ///< conjugate observables exist
  perturbed_ensemble,  ///< responses agree with a perturbed ensemble
  simulator,           ///< whether a simulator of the user was run
};

/// The name of a check in output, such as "time step".
const char* name(Check check);

/// The result of a check.
enum class Verdict : std::uint8_t {
  passed,
  warning,         ///< the check did not pass; the numbers can be used with care
  failed,          ///< the check did not pass; the numbers cannot be used
  unresolved,      ///< the data do not suffice to decide; nothing speaks against the numbers
  not_applicable,  ///< the check does not apply to this problem
};

/// The name of a verdict in output, such as "not applicable".
const char* name(Verdict verdict);

/// One check of a result: its verdict, a sentence for people, and a remedy.
struct Diagnostic {
  Check check = Check::completion;
  Verdict verdict = Verdict::passed;
  std::string text = {};
  std::string remedy = {};  ///< what to change, naming settings such as simulation.length; empty if the check passed
  bool local = false;       ///< only the observables that the text names are concerned; others can be used

  bool passed() const { return verdict != Verdict::warning && verdict != Verdict::failed; }
  bool unresolved() const { return verdict == Verdict::unresolved; }
};

/// Whether some numbers can be used: no diagnostic that concerns all numbers has failed.
bool usable(std::span<const Diagnostic> diagnostics);
/// Whether all numbers can be used: no diagnostic has failed.
bool complete(std::span<const Diagnostic> diagnostics);
/// Replaces the diagnostic of the same check, or appends it if there is none.
void replace(std::vector<Diagnostic>& diagnostics, Diagnostic diagnostic);

}  // namespace gfdt

#pragma once

#include <optional>
#include <span>

#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::statistics {

/// A short run of a model that measures its memory, the duration of transients, and the effect of the time step. Its
/// seed differs from that of the main run.
struct PilotRun {
  simulate::Options options;
  EnsembleStatistics statistics;

  bool done() const { return statistics.run.status == simulate::Status::done; }
};

/// Members of a pilot run: enough to test whether they agree.
inline constexpr int pilot_members = 64;
/// State variables times steps of a pilot run, which takes a fraction of a second. Pilots of long runs use this share
/// of the work of the run, up to about a second.
inline constexpr double pilot_work = 4e6, pilot_work_share = 0.015, most_pilot_work = 1e8;

/// Runs a pilot with at most this many state variables times steps, not longer than the run of `options`, which
/// determine all other settings.
PilotRun pilot_run(const symbolic::Model& model, simulate::Options options, double work,
                   const simulate::Control& control);

/// The burn-in of a run.
struct BurnIn {
  double time = 0;
  bool given = false;    ///< whether the options set it
  double memory = 0;     ///< the longest autocorrelation time in the pilot run; 0 without a pilot
  double transient = 0;  ///< time after which no average of the pilot run changes
  bool resolved = true;  ///< whether the pilot run was long enough to measure both
  bool told = true;      ///< whether members of the pilot run left their initial region
  double longest = 0;    ///< longest burn-in that is tried
  int lengthened = 0;    ///< number of repetitions with a longer burn-in because a run was not stationary
  std::optional<PilotRun> pilot = {};

  /// Increases a chosen burn-in by a factor of four, but not beyond `longest`; false if it cannot be increased.
  bool lengthen();
  /// The value and the reason for it.
  Diagnostic diagnostic() const;
};

/// The burn-in that `options` set; otherwise, from a pilot run, the duration of transients plus ten times the longest
/// autocorrelation time, at least a tenth of the length and at most twice the length. It depends only on the model, the
/// options and the seed. A tenth of the length is used for models that depend on time, or if the pilot run blows up.
BurnIn choose_burn_in(const symbolic::Model& model, const simulate::Options& options,
                      const simulate::Control& control = {});

/// Whether halving the time step changes an average by more than the noise of pilot runs explains. The probability of a
/// false alarm is below 1e-3 for a dozen observables.
Diagnostic time_step(const symbolic::Model& model, const PilotRun& pilot, const simulate::Control& control);

}  // namespace gfdt::statistics

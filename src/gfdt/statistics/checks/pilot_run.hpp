#pragma once

#include <optional>
#include <span>

#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::statistics {

/// A short run of a model that tells how long it remembers, how long transients last, and whether the time step
/// matters. It has another seed than the run that it is made for.
struct PilotRun {
  simulate::Options options;
  EnsembleStatistics statistics;

  bool done() const { return statistics.run.status == simulate::Status::done; }
};

/// Members of a pilot run: enough to tell whether they agree.
inline constexpr int pilot_members = 64;
/// State variables times steps of a pilot run, over in a fraction of a second. Those of long runs have this share of
/// the work of the run itself, up to a second.
inline constexpr double pilot_work = 4e6, pilot_work_share = 0.015, most_pilot_work = 1e8;

/// A pilot run of at most this many state variables times steps, no longer than the run of `options`, which give
/// everything else.
PilotRun pilot_run(const symbolic::Model& model, simulate::Options options, double work,
                   const simulate::Control& control);

/// The burn-in of a run.
struct BurnIn {
  double time = 0;
  bool given = false;    ///< whether the options name it
  double memory = 0;     ///< the longest autocorrelation time in the pilot run; 0 where there was none
  double transient = 0;  ///< the time until no average of the pilot run moved
  bool resolved = true;  ///< whether the pilot run was long enough to tell both
  bool told = true;      ///< whether members of the pilot run left the region where they began
  double longest = 0;    ///< that is tried
  int lengthened = 0;    ///< how often a run was not stationary and was made again
  std::optional<PilotRun> pilot = {};

  /// Makes a burn-in that was chosen four times as long, or as long as `longest`; false where it is already.
  bool lengthen();
  /// The value, and the reason for it.
  Diagnostic diagnostic() const;
};

/// The burn-in that `options` give; else, from a pilot run, the time of transients and ten times the longest
/// autocorrelation time, at least a tenth of the length and at most twice the length. It depends on the model, the
/// options and the seed only. A tenth of the length for models that depend on time, and where the pilot run blows up.
BurnIn choose_burn_in(const symbolic::Model& model, const simulate::Options& options,
                      const simulate::Control& control = {});

/// Whether halving the time step moves an average by more than the noise of pilot runs explains. The probability of a
/// false alarm is below 1e-3 for a dozen observables.
Diagnostic time_step(const symbolic::Model& model, const PilotRun& pilot, const simulate::Control& control);

}  // namespace gfdt::statistics

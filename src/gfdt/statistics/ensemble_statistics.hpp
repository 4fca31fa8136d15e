#pragma once

#include <string>
#include <vector>

#include "gfdt/simulate/source.hpp"
#include "gfdt/statistics/average.hpp"
#include "gfdt/statistics/checks/run_checks.hpp"
#include "gfdt/statistics/checks/stationarity.hpp"
#include "gfdt/statistics/observed_functions.hpp"

namespace gfdt::statistics {

/// The statistics of the observables of a run.
struct EnsembleStatistics {
  simulate::Summary run;
  std::vector<Average> observables;  ///< empty unless the run was completed
  /// Covariance of the errors of the observables' means, [row][column]; empty unless the run was completed.
  std::vector<double> mean_covariance;
  std::vector<Average> monitored;  ///< means and mean squares of the states; empty unless completed
  Stationarity stationarity;
  std::vector<Diagnostic> diagnostics;

  /// Whether the results can be used: the run was completed, nothing drifts, and every observable is defined.
  bool usable() const;
  /// Whether all results can be used: in addition, the members have mixed in every observable. Other diagnostics are
  /// warnings.
  bool complete() const;
  /// Whether all checks passed.
  bool no_problems() const;
  /// The longest autocorrelation time of observables and states; 0 if none is known.
  double longest_memory() const;
  /// The shortest autocorrelation time; infinite if none is known.
  double shortest_memory() const;
};

/// Simulates the model.
EnsembleStatistics simulate_statistics(const symbolic::Model& model, const simulate::Options& options,
                                       const simulate::Control& control = {},
                                       std::span<simulate::Sink* const> more_sinks = {});

/// Statistics of samples from any source. The observables are those of the model; `functions` replace their formulas.
/// Throws Error if the options are invalid.
EnsembleStatistics simulate_statistics(const symbolic::Model& model, const simulate::Source& source,
                                       const simulate::Control& control = {},
                                       std::span<simulate::Sink* const> more_sinks = {},
                                       const ObservedFunctions& functions = {});

}  // namespace gfdt::statistics

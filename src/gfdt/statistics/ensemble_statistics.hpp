#pragma once

#include <string>
#include <vector>

#include "gfdt/simulate/source.hpp"
#include "gfdt/statistics/average.hpp"
#include "gfdt/statistics/checks/run_checks.hpp"
#include "gfdt/statistics/checks/stationarity.hpp"
#include "gfdt/statistics/observed_functions.hpp"

namespace gfdt::statistics {

/// A run reduced to the statistics of its observables.
struct EnsembleStatistics {
  simulate::Summary run;
  std::vector<Average> observables;  ///< empty unless the run is done
  /// Covariance of the errors of the observables' means, [row][column]; empty unless the run is done.
  std::vector<double> mean_covariance;
  std::vector<Average> watched;  ///< means and mean squares of the states; empty unless the run is done
  Stationarity stationarity;
  std::vector<Diagnostic> diagnostics;

  /// Whether numbers can be used: the run came to its end, nothing drifts, every observable is defined.
  bool usable() const;
  /// Whether all numbers can be used: besides, the members have mixed in every observable. Other diagnostics are
  /// warnings.
  bool complete() const;
  /// Whether no check found anything.
  bool no_problems() const;
  /// The longest autocorrelation time of observables and states; 0 where none is known.
  double longest_memory() const;
  /// The shortest one, in which the model moves by about its own size; infinite where none is known.
  double shortest_memory() const;
};

/// Of a run of the model.
EnsembleStatistics simulate_statistics(const symbolic::Model& model, const simulate::Options& options,
                                       const simulate::Control& control = {},
                                       std::span<simulate::Sink* const> more_sinks = {});

/// Of samples from anywhere; the model gives the formulas of the observables, unless `functions` name them.
EnsembleStatistics simulate_statistics(const symbolic::Model& model, const simulate::Source& source,
                                       const simulate::Control& control = {},
                                       std::span<simulate::Sink* const> more_sinks = {},
                                       const ObservedFunctions& functions = {});

}  // namespace gfdt::statistics

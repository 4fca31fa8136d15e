#pragma once

#include <optional>
#include <span>

#include "gfdt/control_variate/control_variate.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::control_variate {

/// Options of the control variate.
struct Options {
  bool wanted = true;
  double accuracy = 0.02;                   ///< required relative accuracy of the columns of leading terms
  std::optional<std::size_t> samples = {};  ///< approximate maximum number of states used in the fit
};

/// Quantities to compute from a run in addition to the statistics of its observables.
struct Wanted {
  std::vector<std::string> parameters = {};  ///< parameters of the leading terms of responses
  statistics::ObservedFunctions functions = {};
  /// ∂A/∂θ as formulas, for entries [observable][parameter].
  std::vector<std::pair<std::size_t, Expression>> direct = {};
};

/// Statistics of a run whose variance is reduced by a control variate.
struct ControlledStatistics {
  statistics::EnsembleStatistics run;
  std::optional<ControlVariate> control;
  std::string without;  ///< the reason why there is no control variate; empty if there is one or if none was requested
};

/// Computes the usual statistics in one pass over the samples of a source, keeps some of the samples, and fits a
/// control variate to them. Averages with smaller standard errors replace the plain ones; the diagnostic "control
/// variate" of the run reports the effect. Recorded states get no control variate, because <L u> = 0 holds only for the
/// generator of the program that produced them.
ControlledStatistics controlled_statistics(const symbolic::Model& model, const simulate::Source& source,
                                           const Options& options, const Wanted& wanted,
                                           const simulate::Control& control,
                                           std::span<simulate::Sink* const> more_sinks = {});

/// The observables of a model, including those that are computed by functions.
Quantities observables_of(const symbolic::Model& model, const statistics::ObservedFunctions& functions);

}  // namespace gfdt::control_variate

#pragma once

#include <optional>
#include <span>

#include "gfdt/control_variate/control_variate.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::control_variate {

/// How a control variate is made.
struct Options {
  bool wanted = true;
  double accuracy = 0.02;                   ///< of columns of leading terms, of their size, that is good enough
  std::optional<std::size_t> samples = {};  ///< states that it is fitted to, at most about
};

/// What is asked of a run besides the statistics of its observables.
struct Wanted {
  std::vector<std::string> parameters = {};  ///< by which leading terms of responses are wanted
  statistics::ObservedFunctions functions = {};
  /// <∂A/∂θ> as formulas, for entries [observable][parameter].
  std::vector<std::pair<std::size_t, Expression>> direct = {};
};

/// Statistics of a run with the noise that a control variate takes off them.
struct ControlledStatistics {
  statistics::EnsembleStatistics run;
  std::optional<ControlVariate> control;
  std::string without;  ///< why there is no control variate; empty when there is, or none was wanted
};

/// Shows the samples of a source once to the usual statistics and keeps some of them, which a control variate is then
/// fitted to. Averages with smaller errors stand in place of plain ones; a finding of the run, "control variate", says
/// what came of it. There is none for recorded states: <L u> = 0 holds for the generator of the program that made them.
ControlledStatistics controlled_statistics(const symbolic::Model& model, const simulate::Source& source,
                                           const Options& options, const Wanted& wanted,
                                           const simulate::Control& control,
                                           std::span<simulate::Sink* const> more_sinks = {});

/// The observables of a model, those that functions give included.
Quantities observables_of(const symbolic::Model& model, const statistics::ObservedFunctions& functions);

}  // namespace gfdt::control_variate

#pragma once

#include <functional>
#include <vector>

#include "gfdt/problem/problem.hpp"
#include "gfdt/statistics/checks/pilot_run.hpp"

namespace gfdt::api {

/// Sets the burn-in of a problem that does not specify it (statistics::choose_burn_in). Does nothing for an external
/// simulator.
statistics::BurnIn settle_burn_in(problem::Problem& problem, const simulate::Control& control = {});

/// The pilot run that was used to choose the burn-in, or a new one if there was none.
statistics::PilotRun pilot_of(const problem::Problem& problem, const statistics::BurnIn& burn_in,
                              const simulate::Control& control = {});

/// Creates the sinks of a run with these options, in addition to those of the statistics. Called again if a run is
/// repeated.
using SinkMaker = std::function<std::vector<simulate::Sink*>(const simulate::Options& options)>;

/// Statistics of a problem's run, with a control variate if `response.control_variate` permits it. Uses
/// `simulation.command` if the problem has one. A run that is not stationary is repeated with a longer burn-in unless
/// the problem specifies the burn-in; `problem.simulation.burn_in` is set to the value used. Throws SimulationFailed if
/// the external program fails.
statistics::EnsembleStatistics simulate_problem(problem::Problem& problem, const simulate::Control& control,
                                                const SinkMaker& sinks = {},
                                                const statistics::ObservedFunctions& functions = {});

/// Adds a remark for tasks that simulate the formulas although the problem specifies a `simulation.command`.
void note_unused_command(const problem::Problem& problem, std::vector<Diagnostic>& diagnostics);

}  // namespace gfdt::api

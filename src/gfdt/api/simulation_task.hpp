#pragma once

#include <functional>
#include <vector>

#include "gfdt/problem/problem.hpp"
#include "gfdt/statistics/checks/pilot_run.hpp"

namespace gfdt::api {

/// Sets the burn-in of a problem that leaves it open (statistics::choose_burn_in). Nothing is chosen for a simulator of
/// the user's own.
statistics::BurnIn settle_burn_in(problem::Problem& problem, const simulate::Control& control = {});

/// The pilot run that chose the burn-in, or one made now where there was none.
statistics::PilotRun pilot_of(const problem::Problem& problem, const statistics::BurnIn& burn_in,
                              const simulate::Control& control = {});

/// The sinks of a run with these options, besides those of the statistics. Called again where a run is repeated.
using SinkMaker = std::function<std::vector<simulate::Sink*>(const simulate::Options& options)>;

/// Statistics of a problem's run, with a control variate where `response.control_variate` allows it: the run of
/// `simulation.command` where the problem has one. A run that is not stationary is repeated with a longer burn-in where
/// the problem leaves that open; `problem.simulation.burn_in` is the one that was used. Throws SimulationFailed where
/// the user's program fails.
statistics::EnsembleStatistics simulate_problem(problem::Problem& problem, const simulate::Control& control,
                                                const SinkMaker& sinks = {},
                                                const statistics::ObservedFunctions& functions = {});

/// Adds a remark for tasks that simulate the formulas although the problem names a `simulation.command`.
void note_unused_command(const problem::Problem& problem, std::vector<Diagnostic>& diagnostics);

}  // namespace gfdt::api

#include "gfdt/api/simulation_task.hpp"

#include <algorithm>

#include "gfdt/control_variate/controlled_statistics.hpp"
#include "gfdt/control_variate/fit/residuals.hpp"
#include "gfdt/control_variate/rare_states.hpp"
#include "gfdt/problem/external_simulator.hpp"
#include "gfdt/statistics/checks/metastability.hpp"
#include "gfdt/statistics/checks/time_step_bias.hpp"

namespace gfdt::api {
namespace {

using statistics::EnsembleStatistics;

/// The result of a cancelled external simulation.
EnsembleStatistics stopped() {
  EnsembleStatistics result;
  result.run.status = simulate::Status::cancelled;
  result.run.explanation = "The run was stopped before its end.";
  result.diagnostics.push_back(statistics::stability(result.run, 0));
  return result;
}

}  // namespace

statistics::BurnIn settle_burn_in(problem::Problem& problem, const simulate::Control& control) {
  if (problem.command) return {.time = problem.simulation.burn_in_time(), .given = true};
  statistics::BurnIn burn_in = statistics::choose_burn_in(problem.model, problem.simulation, control);
  problem.simulation.burn_in = burn_in.time;
  return burn_in;
}

statistics::PilotRun pilot_of(const problem::Problem& problem, const statistics::BurnIn& burn_in,
                              const simulate::Control& control) {
  if (burn_in.pilot) return *burn_in.pilot;
  simulate::Options options = problem.simulation;
  options.burn_in = burn_in.time;
  return statistics::pilot_run(problem.model, options, statistics::pilot_work, {{}, control.cancellation});
}

EnsembleStatistics simulate_problem(problem::Problem& problem, const simulate::Control& control, const SinkMaker& sinks,
                                    const statistics::ObservedFunctions& functions) {
  const auto run = [&](const simulate::Source& source) {
    const std::vector<simulate::Sink*> own = sinks ? sinks(source.options()) : std::vector<simulate::Sink*>();
    return control_variate::controlled_statistics(problem.model, source,
                                                  {.wanted = problem.response.control_variate.value_or(true)},
                                                  {.functions = functions}, control, own);
  };
  if (problem.command) {
    const std::filesystem::path folder = std::filesystem::path(problem.file).parent_path();
    const std::unique_ptr<simulate::Source> source =
        problem::run_external(*problem.command, problem.model, problem.simulation, folder, control, 0);
    return source ? run(*source).run : stopped();
  }
  statistics::BurnIn burn_in = settle_burn_in(problem, control);
  control_variate::ControlledStatistics made = run(simulate::ModelSource(problem.model, problem.simulation));
  // If the members have not mixed, a longer burn-in does not help.
  const auto mixed = [](const statistics::Average& average) { return average.mixing != statistics::Mixing::not_mixed; };
  while (!made.run.stationarity.stationary && std::ranges::all_of(made.run.observables, mixed) &&
         std::ranges::all_of(made.run.monitored, mixed) && burn_in.lengthen()) {
    problem.simulation.burn_in = burn_in.time;
    made = run(simulate::ModelSource(problem.model, problem.simulation));
  }
  EnsembleStatistics& result = made.run;
  if (result.run.status != simulate::Status::done || problem.model.time_state) return std::move(result);
  result.diagnostics.push_back(burn_in.diagnostic());
  const statistics::PilotRun pilot = pilot_of(problem, burn_in, control);
  result.diagnostics.push_back(statistics::metastability(problem.model, problem.simulation, pilot, control));
  if (result.observables.empty()) return std::move(result);
  const control_variate::ControlVariate* const fit = made.control ? &*made.control : nullptr;
  result.diagnostics.push_back(
      control_variate::RareStates::of(problem.model, problem.simulation, pilot, result.observables, fit, functions,
                                      control)
          .include(problem.model, problem.simulation, result.observables, result.mean_covariance));
  const statistics::TimeStepBias bias = control_variate::time_step_bias(
      problem.model, problem.simulation, result.observables, fit, functions, {{}, control.cancellation});
  result.diagnostics.push_back(
      statistics::include(bias, problem.simulation, result.observables, result.mean_covariance));
  return std::move(result);
}

void note_unused_command(const problem::Problem& problem, std::vector<Diagnostic>& diagnostics) {
  if (!problem.command) return;
  diagnostics.push_back({.check = Check::simulator,
                         .verdict = Verdict::unresolved,
                         .text = "The states are those of the formulas: simulation.command is not run here."});
}

}  // namespace gfdt::api

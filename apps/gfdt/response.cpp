#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gfdt/core/error.hpp"
#include "gfdt/core/nearest.hpp"
#include "gfdt/io/csv.hpp"
#include "gfdt/io/provenance.hpp"
#include "response_run.hpp"
#include "result_page.hpp"
#include "table.hpp"

namespace gfdt::app {

void note_missing(ResponseOutcome& outcome, const std::vector<std::string>& parameters,
                  const std::vector<std::string>& missing) {
  for (std::size_t j = 0; j < parameters.size(); ++j)
    if (!missing[j].empty())
      outcome.findings.push_back({.check = "conjugate",
                                  .passed = false,
                                  .verdict = fmt::format("There is no response to {}: {}", parameters[j], missing[j]),
                                  .fatal = parameters.size() == 1});
}

void compare(ResponseOutcome& outcome, ResponseCurves& curves, const response::PerturbedEnsemble& ensemble,
             const std::vector<Estimate>& at_start) {
  outcome.simulated_time += ensemble.simulated_time;
  if (ensemble.run.status != simulate::Status::done) {
    outcome.findings.push_back({.check = "perturbed ensemble",
                                .passed = false,
                                .verdict = ensemble.run.explanation,
                                .advice = "A smaller change may do."});
    return;
  }
  outcome.json["check_members"] = ensemble.members;
  for (std::size_t m = 0; m < curves.observables.size(); ++m) {
    std::vector<Estimate>& check = curves.check.emplace_back();
    check.push_back(at_start[m]);
    check.insert(check.end(), ensemble.of_observable[m].begin(), ensemble.of_observable[m].end());
    check.resize(curves.time.size(), no_estimate);
  }
  outcome.findings.push_back(agreement(curves));
}

response::Forcing forcing_of(const ResponseCommand& command) {
  if (command.forcing.empty()) return response::Forcing::step(command.size.value_or(1));
  io::Series series = io::read_series(command.forcing);
  return response::Forcing(std::move(series.time), std::move(series.value));
}

namespace {

/// What makes no sense is found out before anything is run.
void check_request(const ResponseCommand& command, const io::Problem& problem) {
  const std::vector<std::string> names = parameter_names(problem.model);
  if (problem.model.observables.empty())
    throw Error(fmt::format("'{}' has no [observables]: nothing responds.", command.common.problem_file));
  if (names.empty())
    throw Error(
        fmt::format("'{}' has no [model.parameters]: there is nothing to respond to.", command.common.problem_file));
  if (!command.parameter.empty() && std::ranges::find(names, command.parameter) == names.end())
    throw Error(
        fmt::format("The model has no parameter '{}'.{}", command.parameter, suggestion(command.parameter, names)));
  if (command.parameter.empty() && (command.size || !command.forcing.empty() || command.check))
    throw Error("--size, --forcing and --check are for one parameter: name it by --parameter.");
  if (command.size && !command.forcing.empty())
    throw Error("A change is a step (--size) or a series (--forcing), not both.");
  if (command.size && !(std::isfinite(*command.size) && *command.size != 0))
    throw Error(fmt::format("The size of the step is {:g}; it must be a number other than 0.", *command.size));
  if (!command.trajectory.empty() && (command.check || command.transient || problem.model.time_state))
    throw Error("A recorded trajectory is taken to be stationary and cannot be perturbed: leave out --trajectory.");
  if (command.until && !(std::isfinite(*command.until) && *command.until >= problem.simulation.sample_interval()))
    throw Error(fmt::format("Responses are asked for until {:g}; the first sample is at {:g}.", *command.until,
                            problem.simulation.sample_interval()));
}

int response_command(const ResponseCommand& command) {
  const auto begin = std::chrono::steady_clock::now();
  const CommonOptions& common = command.common;
  const io::Problem problem = common.read();
  check_request(command, problem);
  common.check_writable();
  const io::Provenance provenance = io::provenance_of(problem, common.command_line);
  ProgressBar bar(common.quiet);
  const simulate::Control control{.progress = bar.listener(), .cancellation = &interruption()};
  const bool transient = command.transient || problem.model.time_state;
  ResponseOutcome outcome = (transient ? transient_response : stationary_response)(command, problem, control, bar);

  const bool failed =
      std::ranges::any_of(outcome.findings, [](const statistics::Finding& f) { return !f.passed && f.fatal; });
  if (common.talks()) {
    fmt::print(common.text(), "\n");
    print_findings(common.text(), outcome.findings);
  } else {
    print_failures(stderr, outcome.findings);
  }
  auto& json = outcome.json;
  json["simulated_time"] = outcome.simulated_time;
  json["wall_seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  json["seed"] = problem.simulation.seed;
  json["findings"] = app::to_json(outcome.findings);
  json["provenance"] = io::to_json(provenance);
  common.write_json(json, "response.json");
  if (!common.out.empty()) write_page(common, common.out);
  return failed ? Exit::numbers_failed : Exit::done;
}

}  // namespace

void add_response(CLI::App& app, int& status, const std::string& command_line) {
  auto options = std::make_shared<ResponseCommand>();
  options->common.command_line = command_line;
  CLI::App* command = app.add_subcommand(
      "response", "Responses of the statistics in time: kernels, and answers to a step or a series of a parameter");
  options->common.add_to(*command);
  options->common.add_report_to(*command);
  command->add_option("--parameter", options->parameter, "The parameter that changes; kernels of all when left out")
      ->type_name("NAME");
  command->add_option("--size", options->size, "It is changed by this much from time 0 on (1)")->type_name("NUMBER");
  command->add_option("--forcing", options->forcing, "It is changed by this series: CSV with columns time, value")
      ->type_name("FILE");
  command->add_option("--until", options->until, "The last time after the change begins")->type_name("TIME");
  command->add_option("--score", options->score, "A method instead of score.method, or the file of a kept score")
      ->type_name("METHOD|FILE");
  command->add_option("--trajectory", options->trajectory, "Samples of another program instead of runs of the model")
      ->type_name("FILE");
  command->add_flag("--transient", options->transient,
                    "From the law in [model.initial], without burn-in; so always for models that depend on time");
  command->add_flag("--check", options->check, "Run the change as well: two perturbed ensembles");
  command->callback([options, &status] { status = response_command(*options); });
}

}  // namespace gfdt::app

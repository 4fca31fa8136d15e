#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "gfdt/core/error.hpp"
#include "gfdt/core/nearest.hpp"
#include "gfdt/io/csv.hpp"
#include "gfdt/io/json.hpp"
#include "gfdt/io/provenance.hpp"
#include "gfdt/response/perturbed_ensemble.hpp"
#include "progress_bar.hpp"
#include "response_output.hpp"
#include "table.hpp"

namespace gfdt::app {
namespace {

using response::Forcing;
using response::Kernel;
using response::Kernels;

/// Times at which responses are given, at most about.
constexpr std::size_t most_times = 200;
/// Perturbed ensembles are burned in for so many windows at most: all is forgotten by then.
constexpr double burn_in_windows = 2;

struct ResponseCommand {
  CommonOptions common;
  std::string parameter;
  std::optional<double> size;
  std::string forcing;
  std::optional<double> until;
  std::string score;
  bool check = false;
};

std::vector<std::string> parameter_names(const model::Model& model) {
  std::vector<std::string> names;
  for (const model::Parameter& parameter : model.parameters) names.push_back(parameter.name);
  return names;
}

std::vector<std::string> observable_names(const model::Model& model) {
  std::vector<std::string> names;
  for (const model::Observable& observable : model.observables) names.push_back(observable.name);
  return names;
}

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
  if (command.until && !(std::isfinite(*command.until) && *command.until >= problem.simulation.sample_interval()))
    throw Error(fmt::format("Responses are asked for until {:g}; the first sample is at {:g}.", *command.until,
                            problem.simulation.sample_interval()));
}

Forcing forcing_of(const ResponseCommand& command) {
  if (command.forcing.empty()) return Forcing::step(command.size.value_or(1));
  io::Series series = io::read_series(command.forcing);
  return Forcing(std::move(series.time), std::move(series.value));
}

void check_until(std::optional<double> until, const simulate::Options& simulation) {
  if (until && *until > simulation.length)
    throw Error(
        fmt::format("Responses are asked for until {:g}, and members are sampled for {:g}: make "
                    "simulation.length at least {:g}.",
                    *until, simulation.length, *until));
}

/// Every n-th node of the kernels, and on with that spacing until the end.
struct Grid {
  std::vector<double> time;
  std::size_t stride = 1;  ///< in nodes
  std::size_t kernel_times = 0;
};

Grid grid_of(const Kernels& kernels, double until) {
  Grid grid;
  const auto nodes = static_cast<std::size_t>(std::max(1.0, std::floor(until / kernels.interval + 1e-6)));
  grid.stride = (nodes + most_times - 1) / most_times;
  for (std::size_t node = 0; node <= nodes; node += grid.stride) {
    grid.time.push_back(static_cast<double>(node) * kernels.interval);
    if (node < kernels.time.size()) ++grid.kernel_times;
  }
  return grid;
}

/// The curve at the times of a grid; `beyond` the last node it is what it was there, or zero.
std::vector<Estimate> thinned(const std::vector<Estimate>& curve, const Grid& grid, bool constant_beyond) {
  std::vector<Estimate> result;
  for (std::size_t i = 0; i < grid.time.size(); ++i) {
    if (curve.empty())
      result.push_back({});
    else if (i * grid.stride < curve.size())
      result.push_back(curve[i * grid.stride]);
    else
      result.push_back(constant_beyond ? curve.back() : Estimate{});
  }
  return result;
}

struct Outcome {
  nlohmann::ordered_json json;
  std::vector<statistics::Finding> findings;
  double simulated_time = 0;
};

class StationaryResponse {
 public:
  StationaryResponse(const ResponseCommand& command, const io::Problem& problem, const simulate::Control& control)
      : command_(command), problem_(problem), control_(control), forcing_(forcing_of(command)) {}

  Outcome run(ProgressBar& bar) {
    const bool single = !command_.parameter.empty();
    parameters_ = single ? std::vector<std::string>{command_.parameter} : parameter_names(problem_.model);
    std::optional<double> until = command_.until;
    if (!until && !command_.forcing.empty()) until = forcing_.time().back();
    check_until(until, problem_.simulation);
    const simulate::ModelSource source(problem_.model, problem_.simulation);
    scoring::Options score = problem_.score;
    if (!command_.score.empty()) score.method = *scoring::method_named(command_.score);
    score.seed = problem_.simulation.seed;
    score.threads = problem_.simulation.threads;
    kernels_ = response::response_kernels({.model = problem_.model,
                                           .source = source,
                                           .parameters = parameters_,
                                           .score = score,
                                           .response = problem_.response},
                                          {.at_most = until}, control_);
    outcome_.findings = kernels_.long_run.jacobian.findings;
    outcome_.simulated_time = kernels_.long_run.jacobian.simulated_time;
    outcome_.json["status"] = kernels_.usable() ? "done" : "failed";
    outcome_.json["observables"] = observable_names(problem_.model);
    if (!kernels_.usable()) return finish(bar);
    grid_ = grid_of(kernels_, until.value_or(kernels_.longest_lag()));
    single ? one_parameter(bar) : all_parameters(bar);
    return finish(bar);
  }

 private:
  Outcome finish(ProgressBar& bar) {
    bar.clear();
    return std::move(outcome_);
  }

  void describe_kernels() {
    auto& json = outcome_.json;
    json["window"] = {kernels_.long_run.jacobian.window->start, kernels_.long_run.jacobian.window->end};
    json["longest_lag"] = kernels_.longest_lag();
    json["score"] = kernels_.long_run.score.name;
    json["kernel_averaged_over"] = kernels_.averaged > 1 ? kernels_.interval : 0.0;
  }

  void note_missing() {
    for (std::size_t j = 0; j < parameters_.size(); ++j)
      if (!kernels_.missing[j].empty())
        outcome_.findings.push_back(
            {.check = "conjugate",
             .passed = false,
             .verdict = fmt::format("There is no response to {}: {}", parameters_[j], kernels_.missing[j]),
             .fatal = parameters_.size() == 1});
  }

  void one_parameter(ProgressBar& bar) {
    ResponseCurves curves{.observables = observable_names(problem_.model),
                          .parameter = command_.parameter,
                          .time = grid_.time,
                          .forcing = {},
                          .response = {},
                          .check = {}};
    for (const double t : grid_.time) curves.forcing.push_back(forcing_.at(t));
    std::vector<std::vector<Estimate>> kernel, step;
    for (std::size_t m = 0; m < curves.observables.size(); ++m) {
      curves.response.push_back(response::forced_response(kernels_, m, 0, forcing_, grid_.time));
      kernel.push_back(thinned(kernels_.of_entry[m].values(), grid_, false));
      step.push_back(thinned(kernels_.of_entry[m].step_response(), grid_, true));
    }
    note_missing();
    if (command_.check && kernels_.missing[0].empty()) run_check(curves);
    auto& json = outcome_.json;
    json["parameter"] = curves.parameter;
    json["time"] = curves.time;
    json["forcing"] = curves.forcing;
    put(json, "response", curves.response);
    put(json, "kernel", kernel);
    put(json, "step_response", step);
    if (!curves.check.empty()) put(json, "check", curves.check);
    describe_kernels();
    bar.clear();
    if (command_.common.talks()) print(command_.common.text(), curves);
  }

  void run_check(ResponseCurves& curves) {
    const simulate::Options& simulation = problem_.simulation;
    const response::PerturbedOptions options{
        .until = grid_.time.back(),
        .steps = static_cast<int>(grid_.stride) * kernels_.averaged * simulation.cadence,
        .budget = simulation.members * simulation.length,
        .longest_burn_in = burn_in_windows * kernels_.long_run.jacobian.window->end};
    const response::PerturbedEnsemble found =
        response::perturbed_ensemble(problem_.model, simulation, command_.parameter, forcing_, options, control_);
    outcome_.simulated_time += found.simulated_time;
    if (found.run.status != simulate::Status::done) {
      outcome_.findings.push_back({.check = "perturbed ensemble",
                                   .passed = false,
                                   .verdict = found.run.explanation,
                                   .advice = "A smaller change may do."});
      return;
    }
    outcome_.json["check_members"] = found.members;
    for (std::size_t m = 0; m < curves.observables.size(); ++m) {
      // Nothing has happened at time 0, but for a change of the observable itself.
      const bool direct = kernels_.long_run.direct[m].value != 0;
      std::vector<Estimate>& check = curves.check.emplace_back();
      check.push_back(direct ? Estimate{std::nan(""), std::nan("")} : Estimate{});
      check.insert(check.end(), found.of_observable[m].begin(), found.of_observable[m].end());
      check.resize(curves.time.size(), {std::nan(""), std::nan("")});
    }
    outcome_.findings.push_back(agreement(curves));
  }

  void all_parameters(ProgressBar& bar) {
    std::vector<std::vector<std::vector<Estimate>>> kernel, step;
    std::vector<std::string> heading{"step response"};
    for (const std::string& name : parameters_) heading.push_back("per " + name);
    Table table(heading);
    for (std::size_t m = 0; m < problem_.model.observables.size(); ++m) {
      kernel.emplace_back();
      step.emplace_back();
      std::vector<std::string> row{"<" + problem_.model.observables[m].name + ">"};
      for (std::size_t j = 0; j < parameters_.size(); ++j) {
        const Kernel& of = kernels_.of_entry[kernels_.at(m, j)];
        kernel[m].push_back(thinned(of.values(), grid_, false));
        step[m].push_back(thinned(of.step_response(), grid_, true));
        const Estimate last = response::forced_response(kernels_, m, j, Forcing::step(1), {grid_.time.back()})[0];
        row.push_back(kernels_.missing[j].empty() ? with_error(last.value, last.standard_error) : "–");
      }
      table.add(row);
    }
    note_missing();
    auto& json = outcome_.json;
    json["parameters"] = parameters_;
    json["time"] = grid_.time;
    put(json, "kernel", kernel);
    put(json, "step_response", step);
    describe_kernels();
    bar.clear();
    if (!command_.common.talks()) return;
    table.print(command_.common.text());
    fmt::print(command_.common.text(), "\n  at time {:.4g} after a step of size 1, to first order\n",
               grid_.time.back());
  }

  const ResponseCommand& command_;
  const io::Problem& problem_;
  const simulate::Control& control_;
  Forcing forcing_;
  std::vector<std::string> parameters_;
  Kernels kernels_;
  Grid grid_;
  Outcome outcome_;
};

int response_command(const ResponseCommand& command) {
  const auto begin = std::chrono::steady_clock::now();
  const CommonOptions& common = command.common;
  const io::Problem problem = common.read();
  check_request(command, problem);
  common.check_writable();
  const io::Provenance provenance = io::provenance_of(problem, common.command_line);
  ProgressBar bar(common.quiet);
  const simulate::Control control{.progress = bar.listener(), .cancellation = &interruption()};
  Outcome outcome = StationaryResponse(command, problem, control).run(bar);

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
  return failed ? Exit::numbers_failed : Exit::done;
}

}  // namespace

void add_response(CLI::App& app, int& status, const std::string& command_line) {
  auto options = std::make_shared<ResponseCommand>();
  options->common.command_line = command_line;
  CLI::App* command = app.add_subcommand(
      "response", "Responses of the statistics in time: kernels, and answers to a step or a series of a parameter");
  options->common.add_to(*command);
  command->add_option("--parameter", options->parameter, "The parameter that changes; kernels of all when left out")
      ->type_name("NAME");
  command->add_option("--size", options->size, "It is changed by this much from time 0 on (1)")->type_name("NUMBER");
  command->add_option("--forcing", options->forcing, "It is changed by this series: CSV with columns time, value")
      ->type_name("FILE");
  command->add_option("--until", options->until, "The last time after the change begins")->type_name("TIME");
  command->add_option("--score", options->score, "Instead of score.method")
      ->type_name("METHOD")
      ->check(CLI::IsMember(scoring::method_names()));
  command->add_flag("--check", options->check, "Run the change as well: two perturbed ensembles");
  command->callback([options, &status] { status = response_command(*options); });
}

}  // namespace gfdt::app

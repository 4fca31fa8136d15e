#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "experiment_curves.hpp"
#include "experiment_table.hpp"
#include "gfdt/api/jacobian_task.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/data/json.hpp"
#include "gfdt/problem/provenance_of.hpp"
#include "gfdt/results/json/diagnostic_json.hpp"
#include "gfdt/results/json/jacobian_json.hpp"
#include "progress_bar.hpp"
#include "reproduce_calibration.hpp"
#include "result_page.hpp"
#include "styled_text.hpp"
#include "table.hpp"

namespace gfdt::app {
namespace {

using nlohmann::ordered_json;

constexpr const char* reproduction_name = "reproduce.json";

struct ReproduceCommand {
  CommonOptions common;
  std::string experiment;
  bool paper_scale = false;
  bool paper_settings = false;
  bool calibrate = false;
  bool resume = false;
  std::vector<std::string> compare;
};

int list_experiments() {
  for (const Experiment& experiment : experiments()) say(stdout, "  {:<10} {}\n", experiment.name, summary(experiment));
  say(stdout, "\n  gfdt reproduce NAME runs one and prints it beside the paper's numbers.\n");
  return Exit::done;
}

ordered_json truth_json(const Comparison& comparison) {
  if (!comparison.truth) return {};
  const ExperimentTruth& truth = *comparison.truth;
  const std::size_t columns = comparison.model.parameters.size();
  return {{"source", truth.source},
          {"statistics", data::json_numbers(truth.statistics)},
          {"statistics_error", data::json_numbers(truth.statistics_error)},
          {"standard_deviation", data::json_numbers(truth.standard_deviation)},
          {"jacobian", data::json_matrix(truth.jacobian, columns)},
          {"jacobian_error", data::json_matrix(truth.jacobian_error, columns)}};
}

ordered_json paper_json(const Comparison& comparison) {
  ordered_json list = ordered_json::array();
  for (const PaperTable::Method& method : comparison.paper.methods)
    list.push_back({{"name", method.name},
                    {"jacobian", data::json_matrix(method.jacobian, comparison.model.parameters.size())},
                    {"column_error", data::json_numbers(comparison.column_errors(method.meant))}});
  return list;
}

ordered_json ours_json(const Comparison& comparison) {
  ordered_json list = ordered_json::array();
  for (const OurJacobian& ours : comparison.ours) {
    const jacobian::Jacobian& jacobian = ours.result.jacobian;
    ordered_json json{{"name", ours.name}, {"status", jacobian.usable() ? "done" : "failed"}};
    json.update(results::to_json(jacobian));
    json["column_error"] = data::json_numbers(comparison.column_errors(jacobian.value));
    json["expected_column_error"] = data::json_numbers(comparison.expected_column_errors(jacobian.standard_error));
    json["findings"] = results::to_json(jacobian.diagnostics);
    list.push_back(std::move(json));
  }
  return list;
}

ordered_json to_json(const Comparison& comparison, const std::optional<ExperimentCurves>& curves) {
  ordered_json json{{"experiment", comparison.experiment.name}};
  for (const symbolic::Observable& observable : comparison.model.observables)
    json["observables"].push_back(observable.name);
  for (const symbolic::Parameter& parameter : comparison.model.parameters) json["parameters"].push_back(parameter.name);
  json["truth"] = truth_json(comparison);
  json["ours"] = ours_json(comparison);
  json["paper"] = paper_json(comparison);
  json["paper_source"] = comparison.paper.source;
  json["paper_remarks"] = comparison.paper.remarks;
  json["curves"] = curves ? app::to_json(*curves) : ordered_json();
  return json;
}

int reproduce_command(const ReproduceCommand& command) {
  if (command.experiment.empty()) return list_experiments();
  if (command.calibrate)
    return reproduce_calibration({command.common, command.experiment, command.paper_scale, command.paper_settings,
                                  command.resume, command.compare});
  if (command.resume || command.paper_settings)
    throw Error("--resume and --paper-settings belong to --calibrate, the calibration of an experiment.");
  const Stopwatch watch;
  const CommonOptions& common = command.common;
  const Experiment& experiment = experiment_named(command.experiment);
  const ExperimentPlan plan = experiment_plan(experiment, command.paper_scale);
  std::vector<std::string> settings = plan.settings;
  settings.insert(settings.end(), common.set.begin(), common.set.end());
  problem::Problem problem = experiment_problem(experiment, settings);
  common.apply_to(problem);
  common.check_writable();
  std::vector<api::JacobianMethod> methods;
  for (const std::string& name : command.compare.empty() ? plan.methods : command.compare)
    methods.push_back(api::jacobian_method(name));
  const data::Provenance provenance = problem::provenance_of(problem, common.command_line);
  const std::unique_ptr<api::JacobianTask> task = api::jacobian_task(std::move(problem), {});
  const symbolic::Model& model = task->problem.model;
  Comparison comparison{experiment, model, experiment_truth(experiment, model), paper_table(experiment, model)};

  if (common.talks())
    say(common.text(), "  {}\n  {}\n\n", summary(experiment),
        common.set.empty() ? plan.size : fmt::format("Changed: {}.", fmt::join(common.set, ", ")));
  ProgressBar bar(common.quiet);
  bool usable = true;
  std::optional<bool>& controls = task->problem.response.control_variate;
  const bool free_choice = !controls;
  for (const api::JacobianMethod& method : methods) {
    // The paper's methods are reproduced without the variance reduction that is available here.
    const bool own = method.method == jacobian::Method::automatic || method.method == jacobian::Method::control_variate;
    if (free_choice) controls = own ? std::nullopt : std::optional(false);
    comparison.ours.push_back(
        {method.name, api::estimate(*task, method, {.progress = bar.listener(), .cancellation = &interruption()})});
    bar.clear();
    usable &= comparison.ours.back().result.jacobian.usable();
    if (interruption().requested()) break;
  }
  const std::optional<ExperimentCurves> curves = experiment_curves(comparison);
  ordered_json document = to_json(comparison, curves);
  document["paper_scale"] = command.paper_scale;
  document["wall_seconds"] = watch.seconds();
  document["seed"] = task->problem.simulation.seed;
  document["provenance"] = data::provenance_json(provenance);
  if (common.talks()) {
    print_comparison(common.text(), comparison);
    if (curves) print_curves(common.text(), *curves);
  } else {
    for (const OurJacobian& ours : comparison.ours) print_failures(stderr, ours.result.jacobian.diagnostics);
  }
  common.write_json(document, reproduction_name);
  write_page(common, document, reproduction_name, folder_beside(command.experiment, "reproduce"));
  return usable ? Exit::done : Exit::numbers_failed;
}

}  // namespace

void add_reproduce(CLI::App& app, int& status, const std::string& command_line) {
  auto options = std::make_shared<ReproduceCommand>();
  options->common.command_line = command_line;
  CLI::App* command = app.add_subcommand(
      "reproduce", "Run an experiment of the paper and print it beside the paper's numbers and the exact ones");
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments()) names.emplace_back(experiment.name);
  command->add_option("experiment", options->experiment, "The experiment; all are listed when left out")
      ->type_name("NAME")
      ->check(CLI::Validator(offered(names)));
  options->common.add_settings_to(*command);
  options->common.add_report_to(*command);
  command->add_flag("--paper-scale", options->paper_scale, "Runs and training of the paper's size, where that is long");
  command->add_flag("--calibrate", options->calibrate,
                    "Calibrate it as the paper does, instead of its Jacobian: scalar, triad or lorenz96");
  command->add_flag("--paper-settings", options->paper_settings,
                    "With --calibrate: the steps, weights and stops of the paper instead of ours");
  command->add_flag("--resume", options->resume, "With --calibrate and --out: go on where it was stopped");
  command->add_option("--compare", options->compare, "Methods instead of the experiment's own, as for gfdt jacobian")
      ->type_name("LIST")
      ->delimiter(',')
      ->check(CLI::Validator(offered(api::jacobian_method_names())));
  command->callback([options, &status] { status = reproduce_command(*options); });
  command->group(group::show)
      ->footer(
          "Results and report.html go to the folder of --out, NAME-reproduce when left out.\n"
          "Example: gfdt reproduce scalar --out scalar");
}

}  // namespace gfdt::app

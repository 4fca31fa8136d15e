#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>

#include "calibration_show.hpp"
#include "calibration_table.hpp"
#include "command.hpp"
#include "gfdt/api/jacobian_task.hpp"
#include "gfdt/api/kept_calibration.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/codegen/program/kernel.hpp"
#include "gfdt/data/json.hpp"
#include "gfdt/parallel/ranks.hpp"
#include "gfdt/problem/provenance_of.hpp"
#include "gfdt/problem/resolve_targets.hpp"
#include "gfdt/report/report.hpp"
#include "gfdt/results/json/calibration_json.hpp"
#include "gfdt/results/run_folder/run_folder.hpp"
#include "progress_bar.hpp"
#include "result_page.hpp"
#include "styled_text.hpp"
#include "table.hpp"

namespace gfdt::app {
namespace {

using nlohmann::ordered_json;

constexpr const char* comparison_name = "comparison.json";

struct CalibrateCommand {
  CommonOptions common;
  std::string method;
  std::vector<std::string> compare;
  bool resume = false;
  bool overwrite = false;
  bool dry_run = false;
};

std::vector<api::CalibrationMethod> methods_of(const CalibrateCommand& command, const problem::Problem& problem) {
  if (!command.method.empty() && !command.compare.empty())
    throw Error("--method asks for one method and --compare for several: leave one of them out.");
  api::refuse_repetition(command.compare, "--compare");
  std::vector<api::CalibrationMethod> methods;
  for (const std::string& name : command.compare) methods.push_back(api::calibration_method(name));
  if (!methods.empty()) return methods;
  if (!command.method.empty()) return {api::calibration_method(command.method)};
  return {api::calibration_method(problem)};
}

/// The result folder: that of --out, or one named after the problem.
std::filesystem::path folder_of(const CommonOptions& common) {
  if (!common.out.empty()) return common.out;
  return folder_beside(common.problem_file, "run");
}

int forecast_command(const CalibrateCommand& command, const api::CalibrationTask& task) {
  CommonOptions common = command.common;
  common.out.clear();  // it may hold a run, and this is none
  ProgressBar bar(common.quiet);
  calibrate::ResponseEvaluator evaluator(task.experiment);
  const calibrate::Forecast forecast = calibrate::forecast(
      task.asked, task.problem.calibration, evaluator, {.progress = bar.listener(), .cancellation = &interruption()});
  bar.clear();
  ordered_json document = results::to_json(forecast, task.asked);
  document["seed"] = task.asked.seed;
  document["provenance"] = data::provenance_json(problem::provenance_of(task.problem, common.command_line));
  common.write_json(document, api::calibration_name);
  if (!forecast.problem.empty()) {
    say(stderr, "The model cannot be evaluated at the guess. {}\n", forecast.problem);
    return Exit::numbers_failed;
  }
  if (common.talks()) print_forecast(common.text(), forecast, task.asked);
  return Exit::done;
}

/// Creates the folder of a method, or opens it to resume.
results::RunFolder open_folder(const std::filesystem::path& place, const CalibrateCommand& command,
                               const results::RunDescription& run) {
  if (command.overwrite) api::clear_run(place);
  const bool resume = command.resume && (results::RunFolder::holds_run(place) || command.compare.empty());
  return {place, run, resume ? results::RunFolder::Mode::resume : results::RunFolder::Mode::fresh};
}

/// Empty if the computation was cancelled.
std::optional<calibrate::Targets> targets_of(const problem::Problem& problem, ProgressBar& bar) {
  try {
    calibrate::Targets targets =
        problem::resolve_targets(problem, {.progress = bar.listener(), .cancellation = &interruption()});
    bar.clear();
    return targets;
  } catch (const Error&) {
    bar.clear();
    if (!interruption().requested()) throw;
    say(stderr, "Stopped while the targets were computed; the calibration had not begun.\n");
    return {};
  }
}

/// `begun`: the folders in which a run has been started.
int calibrate(const CalibrateCommand& command, std::vector<std::filesystem::path>& begun) {
  CommonOptions common = command.common;
  if (command.resume && command.overwrite)
    throw Error("--resume continues a run and --overwrite deletes it: give only one of them.");
  problem::Problem problem = common.read();
  const std::vector<api::CalibrationMethod> methods = methods_of(command, problem);
  ProgressBar bar(common.quiet);
  const std::optional<calibrate::Targets> found = targets_of(problem, bar);
  if (!found) return Exit::numbers_failed;
  const calibrate::Targets& targets = *found;
  std::vector<api::CalibrationTask> tasks;
  for (const api::CalibrationMethod& method : methods) tasks.push_back(api::calibration_task(problem, targets, method));
  if (common.talks()) {
    print_question(common.text(), tasks[0].asked);
    print_remarks(common.text(), api::cautions(tasks[0]));
  }
  if (command.dry_run) return forecast_command(command, tasks[0]);
  const std::filesystem::path folder = folder_of(common);
  if (command.resume &&
      !ranks::decide_on_root("whether a folder is there", [&] { return std::filesystem::exists(folder); }))
    throw Error(fmt::format(
        "There is no folder '{}' with a run that could be resumed: leave out --resume to begin one.", folder.string()));
  common.out = folder.string();
  common.check_writable();

  const bool several = tasks.size() > 1;
  if (several && results::RunFolder::holds_run(folder)) {
    if (!command.overwrite)
      throw Error(fmt::format(
          "'{}' holds the run of one method: --overwrite throws it away, another --out begins a comparison.",
          folder.string()));
    api::clear_run(folder);
  }
  const auto opened = [&](const api::CalibrationTask& task) {
    const std::filesystem::path place = several ? folder / task.name : folder;
    const bool resumed = command.resume && results::RunFolder::holds_run(place);
    results::RunFolder run = open_folder(place, command, api::description_of(task, common.command_line));
    if (!resumed) begun.push_back(place);
    return run;
  };
  // Existing results are checked before anything is started.
  for (const api::CalibrationTask& task : tasks)
    if (several && !command.overwrite && results::RunFolder::holds_run(folder / task.name)) opened(task);
  std::vector<results::RunFolder> folders;
  for (const api::CalibrationTask& task : tasks) folders.push_back(opened(task));

  std::vector<NamedCalibration> results;
  ordered_json documents = ordered_json::array();
  bool as_requested = true;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const api::CalibrationTask& task = tasks[i];
    if (several && common.talks()) say(common.text(), "\n  {}\n", styled(Style::strong, task.name));
    ordered_json document;
    results.push_back({task.name, calibrate_and_show(task, &folders[i], common, document)});
    const calibrate::Calibration& calibration = results.back().calibration;
    documents.push_back(std::move(document));
    as_requested &= api::ended_as_requested(calibration, task.problem.calibration);
    if (calibration.status == calibrate::Status::interrupted) {
      CommonOptions asked = common;
      asked.out.clear();  // the folder has it already
      asked.write_json(several ? ordered_json{{"comparison", documents}} : documents[0], "");
      say(stderr, "  Everything so far is in '{}'; --resume continues it.\n", folder.string());
      return Exit::numbers_failed;
    }
  }
  const ordered_json document = several ? ordered_json{{"comparison", documents}} : documents[0];
  if (several && common.talks()) print_comparison(common.text(), results, tasks[0].asked);
  common.write_json(document, several ? comparison_name : api::calibration_name);
  if (common.talks()) say(common.text(), "  Results: {}\n", folder.string());
  write_page(common, folder);
  return as_requested ? Exit::done : Exit::numbers_failed;
}

/// A run that is begun again with another back end finds the folder as it was.
int calibrate_command(const CalibrateCommand& command) {
  std::vector<std::filesystem::path> begun;
  try {
    return calibrate(command, begun);
  } catch (const codegen::NativeGivenUp&) {
    for (const std::filesystem::path& folder : begun) api::clear_run(folder);
    throw;
  }
}

}  // namespace

void add_calibrate(CLI::App& app, int& status, const std::string& command_line) {
  auto options = std::make_shared<CalibrateCommand>();
  options->common.command_line = command_line;
  CLI::App* command =
      app.add_subcommand("calibrate", "Find the parameters whose long-run statistics are those of the targets");
  options->common.add_to(*command);
  options->common.add_report_to(*command);
  std::vector<std::string> methods = api::jacobian_method_names();
  methods.emplace_back(calibrate::name(calibrate::Algorithm::ensemble_kalman));
  command
      ->add_option("--method", options->method,
                   "How Jacobians are made: auto, from a score, by finite-difference, …; ensemble-kalman has none")
      ->type_name("METHOD")
      ->check(CLI::Validator(offered(methods)));
  command->add_option("--compare", options->compare, "Several of them, each in a folder of its own")
      ->type_name("LIST")
      ->delimiter(',')
      ->check(CLI::Validator(offered(methods)));
  command->add_flag("--resume", options->resume,
                    "Resume the run in this folder; the result is bit-identical to an uninterrupted run");
  command->add_flag("--overwrite", options->overwrite, "Delete the run in this folder and start a new one");
  command->add_flag("--dry-run", options->dry_run, "Evaluate the guess once and estimate the cost of a calibration");
  command->callback([options, &status] { status = calibrate_command(*options); });
  command->group(group::answer)
      ->footer(
          "Everything is kept in the folder of --out, NAME-run for NAME.toml when left out.\n"
          "Example: gfdt calibrate enso.toml --compare kgmm,finite-difference");
}

}  // namespace gfdt::app

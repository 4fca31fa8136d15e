#include "reproduce_calibration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "calibration_show.hpp"
#include "calibration_table.hpp"
#include "experiment_calibration.hpp"
#include "gfdt/api/calibration_task.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/data/json.hpp"
#include "gfdt/problem/provenance_of.hpp"
#include "gfdt/results/json/calibration_json.hpp"
#include "gfdt/results/run_folder/run_folder.hpp"
#include "progress_bar.hpp"
#include "result_page.hpp"
#include "styled_text.hpp"
#include "table.hpp"

namespace gfdt::app {
namespace {

using nlohmann::ordered_json;

constexpr const char* calibrated_name = "reproduce.json";

/// The true values of the free parameters; empty where they are not known.
std::vector<double> truth_of(const CalibrationStudy& study, const calibrate::Problem& problem) {
  std::vector<double> truth;
  for (const calibrate::FreeParameter& parameter : problem.parameters)
    if (const auto known = study.truth.find(parameter.name); known != study.truth.end()) truth.push_back(known->second);
  return truth.size() == problem.parameters.size() ? truth : std::vector<double>{};
}

void print_truth(std::FILE* file, const std::vector<NamedCalibration>& results, const calibrate::Problem& problem,
                 const std::vector<double>& truth, double confidence) {
  std::vector<std::string> values;
  for (std::size_t j = 0; j < truth.size(); ++j)
    values.push_back(fmt::format("{} = {:g}", problem.parameters[j].name, truth[j]));
  say(file, "\n  True parameters: {}.\n", fmt::join(values, ", "));
  for (const auto& [name, calibration] : results)
    if (!calibration.parameters.empty())
      say(file, "  {:<18} the {:.0f} % region {} them.\n", name, 100 * confidence,
          calibration.posterior.holds(truth, calibration.parameters, confidence) ? "holds" : "does not hold");
}

}  // namespace

int reproduce_calibration(const CalibrationReproduction& command) {
  const Stopwatch watch;
  const CommonOptions& common = command.common;
  const Experiment& experiment = experiment_named(command.experiment);
  const CalibrationPlan plan = calibration_plan(experiment, command.paper_scale, command.paper_settings);
  std::vector<std::string> settings = plan.settings;
  settings.insert(settings.end(), common.set.begin(), common.set.end());
  problem::Problem problem = experiment_problem(experiment, settings);
  common.apply_to(problem);
  common.check_writable();
  std::vector<api::CalibrationMethod> methods;
  for (const std::string& name : command.compare.empty() ? plan.methods : command.compare)
    methods.push_back(api::calibration_method(name));
  if (common.talks()) say(common.text(), "  {}\n  {}\n", summary(experiment), plan.size);

  ProgressBar bar(common.quiet);
  const simulate::Control control{.progress = bar.listener(), .cancellation = &interruption()};
  const CalibrationStudy study = calibration_study(experiment, std::move(problem), control);
  bar.clear();
  if (common.talks())
    for (const std::string& sentence : study.origin) say(common.text(), "  {}\n", sentence);

  std::vector<NamedCalibration> results;
  ordered_json documents = ordered_json::array();
  std::vector<api::CalibrationTask> tasks;
  for (const api::CalibrationMethod& method : methods)
    tasks.push_back(api::calibration_task(study.problem, study.targets, method));
  const calibrate::Problem& asked = tasks[0].asked;
  const double confidence = study.problem.calibration.confidence;
  const std::vector<double> truth = truth_of(study, asked);
  for (const api::CalibrationTask& task : tasks) {
    if (common.talks()) say(common.text(), "\n  {}\n", styled(Style::strong, task.name));
    std::optional<results::RunFolder> folder;
    if (!common.out.empty()) {
      const std::filesystem::path place = std::filesystem::path(common.out) / task.name;
      const bool resume = command.resume && results::RunFolder::holds_run(place);
      folder.emplace(place, api::description_of(task, common.command_line),
                     resume ? results::RunFolder::Mode::resume : results::RunFolder::Mode::fresh);
    }
    ordered_json document;
    calibrate::Calibration result = calibrate_and_show(task, folder ? &*folder : nullptr, common, document);
    if (result.status == calibrate::Status::interrupted) {
      say(stderr, "The study was stopped.{}\n",
          folder ? " --resume continues it." : " With --out it could have been resumed.");
      return Exit::numbers_failed;
    }
    if (!truth.empty() && !result.parameters.empty())
      document["region_holds_truth"] = result.posterior.holds(truth, result.parameters, confidence);
    documents.push_back(std::move(document));
    results.push_back({task.name, std::move(result)});
  }
  if (common.talks()) {
    print_comparison(common.text(), results, asked);
    if (!truth.empty()) print_truth(common.text(), results, asked, truth, confidence);
  }
  ordered_json document{
      {"experiment", experiment.name},
      {"truth", study.truth},
      {"origin", study.origin},
      {"calibrations", documents},
      {"paper_scale", command.paper_scale},
      {"paper_settings", command.paper_settings},
      {"wall_seconds", watch.seconds()},
      {"seed", asked.seed},
      {"provenance", data::provenance_json(problem::provenance_of(study.problem, common.command_line))}};
  common.write_json(document, calibrated_name);
  write_page(common, document, calibrated_name, folder_beside(command.experiment, "reproduce"));
  return Exit::done;
}

}  // namespace gfdt::app

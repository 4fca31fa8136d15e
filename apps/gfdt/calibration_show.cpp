#include "calibration_show.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "calibration_figure.hpp"
#include "calibration_table.hpp"
#include "gfdt/io/calibration_json.hpp"
#include "gfdt/io/json.hpp"
#include "gfdt/io/provenance.hpp"
#include "progress_bar.hpp"

namespace gfdt::app {
namespace {

nlohmann::ordered_json document_of(const calibrate::Calibration& calibration, const task::CalibrationTask& task,
                                   const nlohmann::ordered_json& provenance) {
  nlohmann::ordered_json document = io::to_json(calibration, task.asked);
  const std::optional<double> floor = time_to_noise(calibration, task.asked, task.problem.calibration.confidence);
  document["time_to_noise"] = floor ? nlohmann::ordered_json(*floor) : nlohmann::ordered_json();
  document["name"] = task.name;
  document["seed"] = task.asked.seed;
  document["provenance"] = provenance;
  return document;
}

}  // namespace

calibrate::Calibration calibrate_and_show(const task::CalibrationTask& task, const io::RunFolder* folder,
                                          const CommonOptions& common, nlohmann::ordered_json& document) {
  ProgressBar bar(common.quiet);
  IterationLines lines(common.text(), task.asked);
  const nlohmann::ordered_json provenance = io::to_json(io::provenance_of(task.problem, common.command_line));
  const auto keep = [&](const char* name) {
    if (folder) folder->write(name, io::json_text(document));
  };
  const auto observer = [&](const calibrate::Calibration& so_far) {
    bar.clear();
    document = document_of(so_far, task, provenance);
    keep(progress_name);
    if (common.talks()) lines.show(so_far);
  };
  calibrate::Calibration result =
      task::run(task, folder, {.progress = bar.listener(), .cancellation = &interruption()}, observer);
  bar.clear();
  document = document_of(result, task, provenance);
  if (result.status == calibrate::Status::interrupted) {
    keep(progress_name);
  } else if (folder) {
    folder->write(convergence_name, convergence_figure({{task.name, result}}, task.asked));
    keep(calibration_name);
    std::filesystem::remove(folder->path() / progress_name);
  }
  const bool wished = task::as_wished(result, task.problem.calibration);
  if (common.talks())
    print_calibration(common.text(), result, task.asked, wished);
  else if (!wished)
    fmt::print(stderr, "{}\n", verdict(result, task.asked));
  return result;
}

}  // namespace gfdt::app

#include "calibration_show.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "calibration_table.hpp"
#include "gfdt/io/calibration_json.hpp"
#include "gfdt/io/json.hpp"
#include "gfdt/io/provenance.hpp"
#include "progress_bar.hpp"

namespace gfdt::app {

calibrate::Calibration calibrate_and_show(const task::CalibrationTask& task, const io::RunFolder* folder,
                                          const CommonOptions& common, nlohmann::ordered_json& document) {
  ProgressBar bar(common.quiet);
  IterationLines lines(common.text(), task.asked);
  const auto observer = [&](const calibrate::Calibration& so_far) {
    bar.clear();
    if (common.talks()) lines.show(so_far);
  };
  calibrate::Calibration result =
      task::run(task, folder, {.progress = bar.listener(), .cancellation = &interruption()}, observer);
  bar.clear();
  document = io::to_json(result, task.asked);
  const std::optional<double> floor = time_to_noise(result, task.asked, task.problem.calibration.confidence);
  document["time_to_noise"] = floor ? nlohmann::ordered_json(*floor) : nlohmann::ordered_json();
  document["name"] = task.name;
  document["weights"] = calibrate::name(task.problem.calibration.weights);
  document["seed"] = task.asked.seed;
  document["provenance"] = io::to_json(io::provenance_of(task.problem, common.command_line));
  if (folder && result.status != calibrate::Status::interrupted)
    folder->write(calibration_name, io::json_text(document));
  const bool wished = task::as_wished(result, task.problem.calibration);
  if (common.talks())
    print_calibration(common.text(), result, task.asked, wished);
  else if (!wished)
    fmt::print(stderr, "{}\n", verdict(result, task.asked));
  return result;
}

}  // namespace gfdt::app

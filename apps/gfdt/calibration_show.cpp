#include "calibration_show.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "calibration_figure.hpp"
#include "calibration_table.hpp"
#include "gfdt/io/json.hpp"
#include "gfdt/io/run_folder.hpp"
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
  document = task::document_of(result, task, common.command_line);
  if (folder && result.status != calibrate::Status::interrupted) {
    folder->write(convergence_name, convergence_figure({{task.name, result}}, task.asked));
    folder->write(calibration_name, io::json_text(document));
  }
  const bool wished = task::as_wished(result, task.problem.calibration);
  if (common.talks())
    print_calibration(common.text(), result, task.asked, wished);
  else if (!wished)
    fmt::print(stderr, "{}\n", verdict(result, task.asked));
  return result;
}

}  // namespace gfdt::app

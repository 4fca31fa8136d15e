#include <nlohmann/json.hpp>

#include "background.hpp"
#include "gfdt/api/kept_calibration.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/data/json.hpp"
#include "gfdt/problem/resolve_targets.hpp"
#include "gfdt/results/run_folder/run_folder.hpp"
#include "problem.hpp"
#include "result.hpp"

namespace gfdt::python {
namespace {

SharedResult result_of(const calibrate::Calibration& calibration, const nlohmann::ordered_json& document,
                       const task::CalibrationTask& task) {
  auto result = std::make_shared<Result>();
  result->usable = task::ended_as_requested(calibration, task.problem.calibration);
  result->document = io::json_text(document);
  const std::size_t size = task.asked.parameters.size();
  if (calibration.posterior.covariance.size() == size * size)
    result->put("parameters_covariance", calibration.posterior.covariance, {size, size});
  if (calibration.posterior.correlation.size() == size * size)
    result->put("parameters_correlation", calibration.posterior.correlation, {size, size});
  result->put(calibration.statistics);
  return result;
}

SharedResult calibrate_problem(const io::Problem& asked, const Settings& settings, const std::string& method,
                               const std::string& out, bool resume, bool overwrite, const py::object& observer) {
  if (resume && overwrite) throw Error("resume continues a run and overwrite deletes it: give only one of them.");
  const io::Problem problem = settings.apply_to(asked);
  const task::CalibrationMethod chosen =
      method.empty() ? task::calibration_method(problem) : task::calibration_method(method);
  SharedResult result;
  in_background(settings.progress, [&](const simulate::Control& control) {
    const calibrate::Targets targets = io::resolve_targets(problem, control);
    const task::CalibrationTask task = task::calibration_task(problem, targets, chosen);
    std::optional<io::RunFolder> folder;
    using Mode = io::RunFolder::Mode;
    const bool begun = !out.empty() && !(resume && io::RunFolder::holds_run(out));
    if (!out.empty() && overwrite) task::clear_run(out);
    if (!out.empty())
      folder.emplace(out, task::description_of(task, settings.command), begun ? Mode::fresh : Mode::resume);
    task::KeptObserver observing;
    if (!observer.is_none())
      observing = [&](const calibrate::Calibration& so_far, const nlohmann::ordered_json& document) {
        const SharedResult seen = result_of(so_far, document, task);
        const py::gil_scoped_acquire locked;
        observer(seen);
      };
    try {
      const task::KeptCalibration kept =
          task::calibrate_and_keep(task, folder ? &*folder : nullptr, settings.command, control, observing);
      result = result_of(kept.calibration, kept.document, task);
    } catch (const kernel::NativeGivenUp&) {
      folder.reset();
      if (begun) task::clear_run(out);
      throw;
    }
  });
  return result;
}

}  // namespace

void add_calibrate(py::module_& module) {
  module.def("calibrate", &calibrate_problem, py::arg("problem"), py::arg("settings"), py::arg("method"),
             py::arg("out"), py::arg("resume"), py::arg("overwrite"), py::arg("observer"),
             "Parameters whose long-run statistics are those of the targets.");
}

}  // namespace gfdt::python

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
                       const api::CalibrationTask& task) {
  auto result = std::make_shared<Result>();
  result->usable = api::ended_as_requested(calibration, task.problem.calibration);
  result->document = data::json_text(document);
  const std::size_t size = task.asked.parameters.size();
  if (calibration.posterior.covariance.size() == size * size)
    result->put("parameters_covariance", calibration.posterior.covariance, {size, size});
  if (calibration.posterior.correlation.size() == size * size)
    result->put("parameters_correlation", calibration.posterior.correlation, {size, size});
  result->put(calibration.statistics);
  return result;
}

SharedResult calibrate_problem(const problem::Problem& asked, const Settings& settings, const std::string& method,
                               const std::string& out, bool resume, bool overwrite, const py::object& observer) {
  if (resume && overwrite) throw Error("resume continues a run and overwrite deletes it: give only one of them.");
  const problem::Problem problem = settings.apply_to(asked);
  const api::CalibrationMethod chosen =
      method.empty() ? api::calibration_method(problem) : api::calibration_method(method);
  SharedResult result;
  in_background(settings.progress, [&](const simulate::Control& control) {
    const calibrate::Targets targets = problem::resolve_targets(problem, control);
    const api::CalibrationTask task = api::calibration_task(problem, targets, chosen);
    std::optional<results::RunFolder> folder;
    using Mode = results::RunFolder::Mode;
    const bool begun = !out.empty() && !(resume && results::RunFolder::holds_run(out));
    if (!out.empty() && overwrite) api::clear_run(out);
    if (!out.empty())
      folder.emplace(out, api::description_of(task, settings.command), begun ? Mode::fresh : Mode::resume);
    api::KeptObserver observing;
    if (!observer.is_none())
      observing = [&](const calibrate::Calibration& so_far, const nlohmann::ordered_json& document) {
        const SharedResult seen = result_of(so_far, document, task);
        const py::gil_scoped_acquire locked;
        observer(seen);
      };
    try {
      const api::KeptCalibration kept =
          api::calibrate_and_keep(task, folder ? &*folder : nullptr, settings.command, control, observing);
      result = result_of(kept.calibration, kept.document, task);
    } catch (const codegen::NativeGivenUp&) {
      folder.reset();
      if (begun) api::clear_run(out);
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

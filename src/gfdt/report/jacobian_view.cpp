#include "gfdt/report/jacobian_view.hpp"

#include "gfdt/report/document.hpp"
#include "gfdt/report/labels.hpp"

namespace gfdt::report {
namespace {

std::optional<std::pair<double, double>> window_of(const Json& document) {
  const std::vector<double> window = numbers_of(document, "window");
  if (window.size() != 2) return {};
  return std::pair(window[0], window[1]);
}

Json statistics_of(const Json& document) {
  Json kept = Json::object();
  for (const char* key : {"statistics", "statistics_error", "plain_statistics", "plain_statistics_error"})
    kept[key] = entry(document, key);
  return kept;
}

JacobianView view_of(const Json& document, const std::string& name) {
  return {.name = name.empty() ? method_label(text_of(document, "name")) : name,
          .observables = texts_of(document, "observables"),
          .parameters = texts_of(document, "parameters"),
          .value = matrix_of(document, "jacobian"),
          .error = matrix_of(document, "jacobian_error"),
          .score_error = matrix_of(document, "score_error"),
          .methods = texts_of(document, "method"),
          .remarks = texts_of(document, "remark"),
          .window = window_of(document),
          .step_response = entry(document, "step_response"),
          .score = entry(document, "score"),
          .findings = entry(document, "findings"),
          .statistics = statistics_of(document),
          .simulated_time = number_of(document, "simulated_time"),
          .wall_seconds = number_of(document, "wall_seconds")};
}

/// The last step that had a Jacobian.
std::optional<JacobianView> view_of(const CalibrationDocuments& calibration, const std::string& label) {
  const Json* last = nullptr;
  const Json& iterations = entry(calibration.result, "iterations");
  if (iterations.is_array())
    for (const Json& iteration : iterations)
      if (!entry(iteration, "jacobian").empty() && entry(iteration, "accepted") != false) last = &iteration;
  if (!last) return {};
  JacobianView view = view_of(*last, label);
  view.observables = texts_of(entry(calibration.result, "targets"), "observables");
  view.parameters = keys_of(entry(*last, "parameters"));
  view.remarks.clear();
  const Json& answer = entry(calibration.result, "answer");
  view.window = window_of(answer);
  view.step_response = entry(answer, "step_response");
  view.score = entry(answer, "score");
  return view;
}

}  // namespace

std::vector<JacobianView> jacobians_of(const RunDocuments& run) {
  std::vector<JacobianView> views;
  const auto add_all = [&](const Json& list) {
    if (list.is_array())
      for (const Json& document : list) views.push_back(view_of(document, {}));
  };
  if (!run.jacobian.is_null()) {
    if (entry(run.jacobian, "comparison").is_array())
      add_all(entry(run.jacobian, "comparison"));
    else
      views.push_back(view_of(run.jacobian, {}));
  }
  add_all(entry(run.reproduction, "ours"));
  const std::vector<std::string> labels = calibration_labels(run);
  for (std::size_t i = 0; i < run.calibrations.size(); ++i)
    if (std::optional<JacobianView> view = view_of(run.calibrations[i], labels[i])) views.push_back(std::move(*view));
  std::erase_if(views, [](const JacobianView& view) { return view.observables.empty() || view.value.empty(); });
  if (views.size() == 1 && run.calibrations.empty()) views[0].name = "estimate";
  return views;
}

KnownJacobian known_jacobian(const RunDocuments& run) {
  if (run.calibrations.empty()) {
    const Json& truth = entry(run.reproduction, "truth");
    return {text_of(truth, "source"), matrix_of(truth, "jacobian"), matrix_of(truth, "jacobian_error")};
  }
  return {};
}

}  // namespace gfdt::report

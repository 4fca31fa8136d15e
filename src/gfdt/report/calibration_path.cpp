#include "gfdt/report/calibration_path.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gfdt/report/document.hpp"
#include "gfdt/report/labels.hpp"

namespace gfdt::report {
namespace {

std::vector<double> values_of(const Json& by_name) {
  std::vector<double> values;
  for (const std::string& name : keys_of(by_name)) values.push_back(number_of(by_name, name));
  return values;
}

/// ‖r‖ and, to first order, its standard error due to those of the statistics; the targets are fixed.
void add_norm(CalibrationPath::Point& point) {
  double squares = 0, variance = 0;
  for (std::size_t m = 0; m < point.residual.size(); ++m) {
    squares += point.residual[m] * point.residual[m];
    variance += std::pow(point.residual[m] * at(point.statistics_error, m), 2);
  }
  point.mismatch = std::sqrt(squares);
  point.mismatch_error = squares > 0 ? std::sqrt(variance / squares) : no_number;
}

CalibrationPath::Point point_of(const Json& document, const Json& targets, double step, double spent) {
  CalibrationPath::Point point{.step = step,
                               .spent = spent,
                               .mismatch = 0,
                               .mismatch_error = 0,
                               .statistics = numbers_of(document, "statistics"),
                               .statistics_error = numbers_of(document, "statistics_error"),
                               .residual = {},
                               .residual_error = {},
                               .parameters = values_of(entry(document, "parameters"))};
  const std::vector<double> wanted = numbers_of(targets, "value"), errors = target_errors(targets);
  for (std::size_t m = 0; m < point.statistics.size(); ++m) {
    point.residual.push_back(point.statistics[m] - at(wanted, m));
    point.residual_error.push_back(std::hypot(at(errors, m), at(point.statistics_error, m)));
  }
  add_norm(point);
  return point;
}

}  // namespace

std::vector<double> target_errors(const Json& targets) {
  std::vector<double> errors;
  const auto covariance = matrix_of(targets, "covariance");
  for (std::size_t m = 0; m < covariance.size(); ++m) errors.push_back(std::sqrt(at(covariance, m, m)));
  return errors;
}

const Json& guess_of(const Json& result) {
  const Json& iterations = entry(result, "iterations");
  return iterations.is_array() && !iterations.empty() ? entry(iterations[0], "parameters") : entry(result, "guess");
}

CalibrationPath path_of(const CalibrationDocuments& calibration) {
  CalibrationPath path;
  path.name = calibration.name;
  const Json &result = calibration.result, &targets = entry(result, "targets"),
             &iterations = entry(result, "iterations");
  std::size_t count = 0;
  if (iterations.is_array())
    for (const Json& iteration : iterations) {
      const double step = static_cast<double>(count++);
      if (entry(iteration, "accepted") == false || entry(iteration, "residual").empty()) continue;
      path.points.push_back(point_of(iteration, targets, step, number_of(iteration, "spent")));
    }
  if (path.points.empty()) return path;
  // The answer is one more point if a separate run confirms it.
  const std::vector<double> answer = values_of(entry(result, "parameters"));
  if (!answer.empty() && answer != path.points.back().parameters && !entry(result, "statistics").empty())
    path.points.push_back(point_of(result, targets, static_cast<double>(count), number_of(result, "simulated_time")));
  if (answer == path.points.back().parameters) path.parameters_error = values_of(entry(result, "parameters_error"));
  double trace = 0;
  for (double error : path.points.back().residual_error) trace += error * error;
  path.noise = std::sqrt(trace);
  return path;
}

std::vector<std::string> free_parameters(const RunDocuments& run) {
  for (const CalibrationDocuments& calibration : run.calibrations) {
    const Json& iterations = entry(calibration.result, "iterations");
    if (iterations.is_array() && !iterations.empty()) return keys_of(entry(iterations[0], "parameters"));
    if (const auto names = keys_of(entry(calibration.result, "parameters")); !names.empty()) return names;
  }
  return {};
}

std::vector<std::string> target_names(const RunDocuments& run) {
  return run.calibrations.empty() ? std::vector<std::string>{}
                                  : texts_of(entry(run.calibrations[0].result, "targets"), "observables");
}

ParameterReference reference_of(const RunDocuments& run, const std::vector<std::string>& parameters) {
  ParameterReference truth{"the true values", {}};
  for (const std::string& name : parameters) truth.values.push_back(number_of(entry(run.reproduction, "truth"), name));
  bool known = !parameters.empty();
  for (double value : truth.values) known &= std::isfinite(value);
  if (known) return truth;
  for (const CalibrationDocuments& calibration : run.calibrations)
    if (const CalibrationPath path = path_of(calibration); !path.points.empty())
      return {run.calibrations.size() > 1 ? fmt::format("the answer of the first method ({})", path.name)
              : calibration.finished      ? "the answer"
                                          : "the current parameters",
              path.points.back().parameters};
  return {};
}

}  // namespace gfdt::report

#include "gfdt/results/json/calibration_json.hpp"

#include "gfdt/data/json.hpp"
#include "gfdt/results/json/jacobian_json.hpp"

namespace gfdt::results {
namespace {

using Json = nlohmann::ordered_json;

Json by_name(const calibrate::Problem& problem, const std::vector<double>& values) {
  Json json = Json::object();
  for (std::size_t j = 0; j < values.size(); ++j) json[problem.parameters[j].name] = data::json_number(values[j]);
  return json;
}

Json means_of(const std::vector<statistics::Average>& statistics) {
  Json json = Json::array();
  for (const statistics::Average& average : statistics) json.push_back(data::json_number(average.mean));
  return json;
}

Json errors_of(const std::vector<statistics::Average>& statistics) {
  Json json = Json::array();
  for (const statistics::Average& average : statistics) json.push_back(data::json_number(average.standard_error));
  return json;
}

/// A number that belongs to a mismatch; null if the mismatch could not be evaluated.
Json known_of(const calibrate::Mismatch& mismatch, double value) {
  return mismatch.residual.empty() ? Json() : data::json_number(value);
}

Json iteration_json(const calibrate::Iteration& iteration, const calibrate::Problem& problem) {
  const std::size_t columns = problem.parameters.size();
  const calibrate::Evaluation& evaluation = iteration.evaluation;
  Json json{{"parameters", by_name(problem, iteration.parameters)},
            {"statistics", means_of(evaluation.statistics)},
            {"statistics_error", errors_of(evaluation.statistics)},
            {"mismatch", known_of(iteration.mismatch, iteration.mismatch.norm)},
            {"chi_square", known_of(iteration.mismatch, iteration.mismatch.chi_square)},
            {"residual", data::json_numbers(iteration.mismatch.residual)},
            {"deviations", data::json_numbers(iteration.mismatch.deviations)},
            {"jacobian", data::json_matrix(evaluation.jacobian, columns)},
            {"jacobian_error", data::json_matrix(evaluation.jacobian_error, columns)},
            {"method", evaluation.methods},
            {"length", iteration.length},
            {"spent", iteration.spent},
            {"condition", known_of(iteration.mismatch, iteration.condition)},
            {"trust_radius", data::json_number(iteration.trust_radius)},
            {"damping", iteration.damping},
            {"step", by_name(problem, iteration.step)},
            {"predicted", data::json_numbers(iteration.predicted)},
            {"halvings", iteration.halvings},
            {"accepted", iteration.accepted},
            {"remarks", iteration.remarks},
            {"warnings", evaluation.warnings},
            {"simulated_time", evaluation.simulated_time},
            {"wall_seconds", evaluation.wall_seconds}};
  return json;
}

Json weak_json(const calibrate::Posterior& posterior, const calibrate::Problem& problem) {
  Json json = Json::array();
  for (const calibrate::WeakDirection& weak : posterior.weak)
    json.push_back({{"direction", by_name(problem, weak.components)},
                    {"relative_error", data::json_number(weak.relative_error)},
                    {"words", weak.words}});
  return json;
}

void add_posterior(Json& json, const calibrate::Posterior& posterior, const calibrate::Problem& problem) {
  const std::size_t columns = problem.parameters.size();
  json["parameters_error"] = by_name(problem, posterior.standard_error);
  json["parameters_covariance"] = data::json_matrix(posterior.covariance, columns);
  json["parameters_correlation"] = data::json_matrix(posterior.correlation, columns);
  json["degrees_of_freedom"] = data::json_number(posterior.degrees_of_freedom);
  json["singular_values"] = data::json_numbers(posterior.singular_values);
  json["weak_directions"] = weak_json(posterior, problem);
}

}  // namespace

Json to_json(const calibrate::Targets& targets) {
  return {{"observables", targets.observables},
          {"value", data::json_numbers(targets.value)},
          {"covariance", data::json_matrix(targets.covariance, targets.size())},
          {"degrees_of_freedom", data::json_number(targets.degrees_of_freedom)},
          {"source", targets.source},
          {"remarks", targets.remarks}};
}

Json to_json(const calibrate::Calibration& calibration, const calibrate::Problem& problem) {
  Json json{{"status", calibrate::name(calibration.status)},
            {"converged", calibrate::converged(calibration.status)},
            {"explanation", calibration.explanation},
            {"targets", to_json(problem.targets)},
            {"iterations", Json::array()}};
  for (const calibrate::Iteration& iteration : calibration.iterations)
    json["iterations"].push_back(iteration_json(iteration, problem));
  json["parameters"] = by_name(problem, calibration.parameters);
  add_posterior(json, calibration.posterior, problem);
  const calibrate::Curvature& curvature = calibration.curvature;
  json["curvature"] = curvature.measured ? data::json_number(curvature.largest) : Json();
  json["parameters_interval"] = Json::object();
  for (std::size_t j = 0; j < curvature.lower.size(); ++j)
    json["parameters_interval"][problem.parameters[j].name] = {data::json_number(curvature.lower[j]),
                                                               data::json_number(curvature.upper[j])};
  json["statistics"] = means_of(calibration.statistics);
  json["statistics_error"] = errors_of(calibration.statistics);
  json["mismatch"] = known_of(calibration.mismatch, calibration.mismatch.norm);
  json["chi_square"] = known_of(calibration.mismatch, calibration.mismatch.chi_square);
  json["chi_square_tail"] = known_of(calibration.mismatch, calibration.mismatch.tail);
  json["goodness_of_fit"] = {{"chi_square", known_of(calibration.mismatch, calibration.fit.chi_square)},
                             {"degrees_of_freedom", calibration.fit.degrees_of_freedom()},
                             {"fitted", calibration.fit.fitted},
                             {"p_value", known_of(calibration.mismatch, calibration.fit.p_value)},
                             {"level", calibration.fit.level}};
  json["chi_square_parts"] = data::json_numbers(calibration.mismatch.parts);
  json["deviations"] = data::json_numbers(calibration.mismatch.deviations);
  json["mismatch_covariance"] = data::json_matrix(calibration.mismatch.noise, problem.targets.size());
  if (calibration.insight) json["answer"] = to_json(*calibration.insight);
  json["simulated_time"] = calibration.simulated_time;
  json["wall_seconds"] = calibration.wall_seconds;
  return json;
}

Json to_json(const calibrate::Forecast& forecast, const calibrate::Problem& problem) {
  Json json{{"status", forecast.problem.empty() ? "forecast" : "failed"},
            {"explanation", forecast.problem},
            {"targets", to_json(problem.targets)},
            {"guess", iteration_json(forecast.guess, problem)}};
  add_posterior(json, forecast.posterior, problem);
  json["evaluations"] = forecast.evaluations;
  json["simulated_time"] = forecast.simulated_time;
  json["wall_seconds"] = forecast.wall_seconds;
  return json;
}

}  // namespace gfdt::results

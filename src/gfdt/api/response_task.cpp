#include "gfdt/api/response_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gfdt/api/response_kinds.hpp"
#include "gfdt/api/simulation_task.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/base/nearest.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/data/provenance.hpp"
#include "gfdt/results/json/diagnostic_json.hpp"

namespace gfdt::api {

ResponseResult::ResponseResult() : json_(std::make_unique<nlohmann::ordered_json>()) {}
ResponseResult::ResponseResult(ResponseResult&&) noexcept = default;
ResponseResult& ResponseResult::operator=(ResponseResult&&) noexcept = default;
ResponseResult::~ResponseResult() = default;

bool ResponseResult::usable() const {
  return std::ranges::none_of(diagnostics, [](const Diagnostic& f) { return f.verdict == Verdict::failed; });
}

std::vector<std::string> parameter_names(const symbolic::Model& model) {
  std::vector<std::string> names;
  for (const symbolic::Parameter& parameter : model.parameters) names.push_back(parameter.name);
  return names;
}

std::vector<std::string> observable_names(const symbolic::Model& model) {
  std::vector<std::string> names;
  for (const symbolic::Observable& observable : model.observables) names.push_back(observable.name);
  return names;
}

void note_missing(ResponseResult& result, const std::vector<std::string>& parameters,
                  const std::vector<std::string>& missing) {
  for (std::size_t j = 0; j < parameters.size(); ++j)
    if (!missing[j].empty())
      result.diagnostics.push_back({.check = Check::conjugate,
                                    .verdict = parameters.size() == 1 ? Verdict::failed : Verdict::warning,
                                    .text = fmt::format("There is no response to {}: {}", parameters[j], missing[j])});
}

void compare(ResponseResult& result, ResponseCurves& curves, const response::PerturbedEnsemble& ensemble,
             const std::vector<Estimate>& at_start) {
  result.simulated_time += ensemble.simulated_time;
  if (ensemble.run.status != simulate::Status::done) {
    result.diagnostics.push_back({.check = Check::perturbed_ensemble,
                                  .verdict = Verdict::warning,
                                  .text = ensemble.run.explanation,
                                  .remedy = "A tenth of the change may do: --size."});
    return;
  }
  result.json()["check_members"] = ensemble.members;
  for (std::size_t m = 0; m < curves.observables.size(); ++m) {
    std::vector<Estimate>& checked = curves.check.emplace_back();
    checked.push_back(at_start[m]);
    checked.insert(checked.end(), ensemble.of_observable[m].begin(), ensemble.of_observable[m].end());
    checked.resize(curves.time.size(), no_estimate);
  }
  result.diagnostics.push_back(agreement(curves));
}

void check(const ResponseRequest& request, const problem::Problem& problem) {
  const std::vector<std::string> names = parameter_names(problem.model);
  if (problem.model.observables.empty())
    throw Error(fmt::format("'{}' has no [observables]: nothing responds.", problem.file));
  if (names.empty())
    throw Error(fmt::format("'{}' has no [model.parameters]: there is nothing to respond to.", problem.file));
  if (!request.parameter.empty() && std::ranges::find(names, request.parameter) == names.end())
    throw Error(
        fmt::format("The model has no parameter '{}'.{}", request.parameter, suggestion(request.parameter, names)));
  if (request.parameter.empty() && (request.size || request.series || request.check))
    throw Error("--size, --forcing and --check are for one parameter: name it by --parameter.");
  if (request.size && request.series) throw Error("A change is a step (--size) or a series (--forcing), not both.");
  if (request.size && !(std::isfinite(*request.size) && *request.size != 0))
    throw Error(fmt::format("The size of the step is {:g}; it must be a number other than 0.", *request.size));
  if (!request.trajectory.empty() && (request.check || request.transient || problem.model.time_state))
    throw Error("A recorded trajectory is taken to be stationary and cannot be perturbed: leave out --trajectory.");
  if (!request.functions.empty() && (request.check || request.transient || problem.model.time_state))
    throw Error("Functions are observed in stationary runs alone: write them as formulas, or leave out --check.");
  if (request.until && !(std::isfinite(*request.until) && *request.until >= problem.simulation.sample_interval()))
    throw Error(fmt::format("Responses are asked for until {:g}; the first sample is at {:g}.", *request.until,
                            problem.simulation.sample_interval()));
}

ResponseResult respond(const ResponseRequest& request, const problem::Problem& problem,
                       const simulate::Control& control) {
  const Stopwatch watch;
  const bool transient = request.transient || problem.model.time_state;
  ResponseResult result = (transient ? transient_response : stationary_response)(request, problem, control);
  if (transient) note_unused_command(problem, result.diagnostics);
  result.wall_seconds = watch.seconds();
  return result;
}

nlohmann::ordered_json document_of(const ResponseResult& result, const problem::Problem& problem,
                                   const data::Provenance& provenance) {
  nlohmann::ordered_json json = result.json();
  json["simulated_time"] = result.simulated_time;
  json["wall_seconds"] = result.wall_seconds;
  json["seed"] = problem.simulation.seed;
  json["findings"] = results::to_json(result.diagnostics);
  json["provenance"] = data::provenance_json(provenance);
  return json;
}

}  // namespace gfdt::api

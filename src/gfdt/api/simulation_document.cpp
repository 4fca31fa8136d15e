#include "gfdt/api/simulation_document.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gfdt/data/json.hpp"
#include "gfdt/data/provenance.hpp"
#include "gfdt/results/json/diagnostic_json.hpp"

namespace gfdt::api {
namespace {

using statistics::Average;
using statistics::EnsembleStatistics;

const char* simulation_status(const EnsembleStatistics& result) {
  switch (result.run.status) {
    case simulate::Status::done:
      if (!result.stationarity.stationary && !result.usable()) return "non-stationary";
      if (!result.usable()) return "undefined";
      if (std::ranges::any_of(result.observables, &Average::has_no_mean)) return "no mean";
      return result.complete() ? "done" : "not mixed";
    case simulate::Status::unstable:
      return "unstable";
    case simulate::Status::cancelled:
      return "cancelled";
  }
  return "";
}

}  // namespace

nlohmann::ordered_json document_of(const EnsembleStatistics& result, const problem::Problem& problem,
                                   const data::Provenance& provenance) {
  nlohmann::ordered_json json;
  json["status"] = simulation_status(result);
  auto list = [&](auto get) {
    auto values = nlohmann::ordered_json::array();
    for (const Average& average : result.observables) values.push_back(get(average));
    return values;
  };
  json["observables"] = list([](const Average& a) { return nlohmann::ordered_json(a.name); });
  json["statistics"] = list([](const Average& a) { return data::json_number(a.mean); });
  json["statistics_error"] = list([](const Average& a) { return data::json_number(a.standard_error); });
  json["plain_statistics"] = list([](const Average& a) { return data::json_number(a.plain ? a.plain->mean : a.mean); });
  json["plain_statistics_error"] =
      list([](const Average& a) { return data::json_number(a.plain ? a.plain->standard_error : a.standard_error); });
  json["standard_deviation"] =
      list([](const Average& a) { return data::json_number(std::isfinite(a.mean) ? a.standard_deviation : a.mean); });
  json["autocorrelation_time"] = list([](const Average& a) { return data::json_number(a.autocorrelation_time); });
  json["effective_samples"] =
      list([](const Average& a) { return data::json_number(std::isfinite(a.mean) ? a.effective_samples : a.mean); });
  json["replaced_members"] = result.run.replaced_members;
  json["simulated_time"] = result.run.simulated_time;
  json["wall_seconds"] = result.run.wall_seconds;
  json["seed"] = problem.simulation.seed;
  json["findings"] = results::to_json(result.diagnostics);
  json["provenance"] = data::provenance_json(provenance);
  return json;
}

}  // namespace gfdt::api

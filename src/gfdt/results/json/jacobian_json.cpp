#include "gfdt/results/json/jacobian_json.hpp"

#include <algorithm>
#include <span>

#include "gfdt/base/error.hpp"
#include "gfdt/data/json.hpp"
#include "gfdt/results/json/certificate_json.hpp"

namespace gfdt::results {
namespace {

using Json = nlohmann::ordered_json;
using jacobian::Jacobian;

template <class List, class Get>
Json list_of(const List& items, Get get) {
  Json result = Json::array();
  for (const auto& item : items) result.push_back(get(item));
  return result;
}

/// The two kinds of curves and the keys of their values; the keys of their errors have the suffix `_error`.
constexpr std::pair<const char*, std::vector<std::vector<jacobian::Estimate>> jacobian::StepResponses::*> curves[] = {
    {"response", &jacobian::StepResponses::of_entry}, {"kernel", &jacobian::StepResponses::kernel_of_entry}};

Json steps_json(const jacobian::StepResponses& steps, const std::vector<std::string>& observables,
                const std::vector<std::string>& parameters) {
  Json json{{"time", steps.time}};
  for (const auto& [key, of_entry] : curves) {
    const std::string error_key = std::string(key) + "_error";
    json[key] = json[error_key] = Json::object();
    for (std::size_t m = 0; m < observables.size(); ++m)
      for (std::size_t j = 0; j < parameters.size(); ++j) {
        const std::size_t at = m * parameters.size() + j;
        if (at >= (steps.*of_entry).size() || (steps.*of_entry)[at].empty()) continue;
        json[key][observables[m]][parameters[j]] =
            list_of((steps.*of_entry)[at], [](const jacobian::Estimate& e) { return data::json_number(e.value); });
        json[error_key][observables[m]][parameters[j]] = list_of(
            (steps.*of_entry)[at], [](const jacobian::Estimate& e) { return data::json_number(e.standard_error); });
      }
  }
  return json;
}

jacobian::StepResponses steps_from(const Json& value, const std::vector<std::string>& observables,
                                   const std::vector<std::string>& parameters) {
  jacobian::StepResponses steps;
  steps.time = data::json_numbers_from(value.at("time"));
  for (const auto& [key, of_entry] : curves) {
    (steps.*of_entry).resize(observables.size() * parameters.size());
    for (std::size_t m = 0; m < observables.size(); ++m)
      for (std::size_t j = 0; j < parameters.size(); ++j) {
        const auto entry = [&](const std::string& name) {
          const Json row = value.value(name, Json::object()).value(observables[m], Json::object());
          return row.contains(parameters[j]) ? data::json_numbers_from(row[parameters[j]]) : std::vector<double>{};
        };
        const std::vector<double> values = entry(key), errors = entry(std::string(key) + "_error");
        if (values.size() != errors.size() || (!values.empty() && values.size() != steps.time.size()))
          throw Error("A step response is not as long as its times.");
        for (std::size_t i = 0; i < values.size(); ++i)
          (steps.*of_entry)[m * parameters.size() + j].push_back({values[i], errors[i]});
      }
  }
  return steps;
}

jacobian::ScoreAccount score_from(const Json& value) {
  jacobian::ScoreAccount score{value.at("name").get<std::string>(), value.at("wall_seconds").get<double>(), {}, {}};
  for (const Json& fit : value.at("fits"))
    score.fits.push_back({fit.at("reason").get<std::string>(), fit.at("details").get<std::vector<std::string>>(),
                          fit.value("description", "")});
  for (const Json& one : value.at("certificates")) score.certificates.push_back(certificate_from_json(one));
  return score;
}

}  // namespace

Json to_json(const Jacobian& jacobian) {
  using jacobian::Column;
  using statistics::Average;
  const std::size_t columns = jacobian.columns.size();
  Json json;
  json["observables"] = list_of(jacobian.statistics, [](const Average& a) { return Json(a.name); });
  json["parameters"] = list_of(jacobian.columns, [](const Column& c) { return Json(c.parameter); });
  json["statistics"] = list_of(jacobian.statistics, [](const Average& a) { return data::json_number(a.mean); });
  json["statistics_error"] =
      list_of(jacobian.statistics, [](const Average& a) { return data::json_number(a.standard_error); });
  json["statistics_sampling_error"] =
      list_of(jacobian.statistics, [](const Average& a) { return data::json_number(a.sampling_error); });
  json["plain_statistics"] = list_of(
      jacobian.statistics, [](const Average& a) { return data::json_number(a.plain ? a.plain->mean : a.mean); });
  json["plain_statistics_error"] = list_of(jacobian.statistics, [](const Average& a) {
    return data::json_number(a.plain ? a.plain->standard_error : a.standard_error);
  });
  json["standard_deviation"] =
      list_of(jacobian.statistics, [](const Average& a) { return data::json_number(a.standard_deviation); });
  // There is one row per statistic; none if a run was not completed.
  const auto matrix = [&](const std::vector<double>& values) {
    return data::json_matrix(std::span(values).first(std::min(values.size(), jacobian.rows() * columns)), columns);
  };
  json["jacobian"] = matrix(jacobian.value);
  json["jacobian_error"] = matrix(jacobian.standard_error);
  json["sampling_error"] = matrix(jacobian.sampling_error);
  json["score_error"] = matrix(jacobian.score_error);
  json["degrees_of_freedom"] = data::json_number(jacobian.degrees_of_freedom);
  json["method"] = list_of(jacobian.columns, [](const Column& c) { return Json(c.method.text()); });
  json["step"] = list_of(jacobian.columns, [](const Column& c) { return c.step > 0 ? Json(c.step) : Json(); });
  json["remark"] = list_of(jacobian.columns, [](const Column& c) { return Json(c.remark); });
  json["window"] = jacobian.window ? Json{jacobian.window->start, jacobian.window->end} : Json();
  json["simulated_time"] = jacobian.simulated_time;
  json["wall_seconds"] = jacobian.wall_seconds;
  return json;
}

Json to_json(const jacobian::ScoreAccount& score) {
  Json json{{"name", score.name}, {"wall_seconds", score.wall_seconds}};
  json["fits"] = list_of(score.fits, [](const jacobian::ScoreAccount::Fit& fit) {
    Json one{{"reason", fit.reason}, {"details", fit.details}};
    if (!fit.description.empty()) one["description"] = fit.description;
    return one;
  });
  json["certificates"] =
      list_of(score.certificates, [](const score::Certificate& certificate) { return to_json(certificate); });
  return json;
}

Json to_json(const jacobian::ScoreFits& score) { return to_json(jacobian::account_of(score)); }

Json to_json(const jacobian::StepResponses& steps, const Jacobian& jacobian) {
  std::vector<std::string> observables, parameters;
  for (const statistics::Average& average : jacobian.statistics) observables.push_back(average.name);
  for (const jacobian::Column& column : jacobian.columns) parameters.push_back(column.parameter);
  return steps_json(steps, observables, parameters);
}

Json to_json(const calibrate::Insight& insight) {
  return {{"observables", insight.observables},
          {"parameters", insight.parameters},
          {"window", insight.window ? Json{insight.window->start, insight.window->end} : Json()},
          {"step_response", steps_json(insight.steps, insight.observables, insight.parameters)},
          {"score", to_json(insight.score)}};
}

calibrate::Insight insight_from_json(const Json& value) {
  calibrate::Insight insight;
  insight.observables = value.at("observables").get<std::vector<std::string>>();
  insight.parameters = value.at("parameters").get<std::vector<std::string>>();
  if (const Json& window = value.at("window"); !window.is_null())
    insight.window = {window.at(0).get<double>(), window.at(1).get<double>()};
  insight.steps = steps_from(value.at("step_response"), insight.observables, insight.parameters);
  insight.score = score_from(value.at("score"));
  return insight;
}

}  // namespace gfdt::results

#include "gfdt/io/jacobian_json.hpp"

#include <algorithm>
#include <span>

#include "gfdt/io/certificate_json.hpp"
#include "gfdt/io/json.hpp"

namespace gfdt::io {
namespace {

using Json = nlohmann::ordered_json;
using response::Jacobian;

template <class List, class Get>
Json list_of(const List& items, Get get) {
  Json result = Json::array();
  for (const auto& item : items) result.push_back(get(item));
  return result;
}

}  // namespace

Json to_json(const Jacobian& jacobian) {
  using response::Column;
  using statistics::Average;
  const std::size_t columns = jacobian.columns.size();
  Json json;
  json["observables"] = list_of(jacobian.statistics, [](const Average& a) { return Json(a.name); });
  json["parameters"] = list_of(jacobian.columns, [](const Column& c) { return Json(c.parameter); });
  json["statistics"] = list_of(jacobian.statistics, [](const Average& a) { return json_number(a.mean); });
  json["statistics_error"] =
      list_of(jacobian.statistics, [](const Average& a) { return json_number(a.standard_error); });
  json["standard_deviation"] =
      list_of(jacobian.statistics, [](const Average& a) { return json_number(a.standard_deviation); });
  // Rows are those of the statistics: none where a run did not come to its end.
  const auto matrix = [&](const std::vector<double>& values) {
    return json_matrix(std::span(values).first(std::min(values.size(), jacobian.rows() * columns)), columns);
  };
  json["jacobian"] = matrix(jacobian.value);
  json["jacobian_error"] = matrix(jacobian.standard_error);
  json["score_error"] = matrix(jacobian.score_error);
  json["degrees_of_freedom"] = json_number(jacobian.degrees_of_freedom);
  json["method"] = list_of(jacobian.columns, [](const Column& c) { return Json(c.method); });
  json["step"] = list_of(jacobian.columns, [](const Column& c) { return c.step > 0 ? Json(c.step) : Json(); });
  json["remark"] = list_of(jacobian.columns, [](const Column& c) { return Json(c.remark); });
  json["window"] = jacobian.window ? Json{jacobian.window->start, jacobian.window->end} : Json();
  json["simulated_time"] = jacobian.simulated_time;
  json["wall_seconds"] = jacobian.wall_seconds;
  return json;
}

Json to_json(const response::ScoreFits& score) {
  Json json{{"name", score.name}, {"wall_seconds", score.wall_seconds}};
  json["fits"] = list_of(score.fits, [](const scoring::ScoreFit& fit) {
    Json one{{"reason", fit.choice.reason}, {"details", fit.details}};
    if (fit.field) one["description"] = fit.field->description();
    return one;
  });
  json["certificates"] =
      list_of(score.certificates, [](const certificate::Certificate& certificate) { return to_json(certificate); });
  return json;
}

Json to_json(const response::StepResponses& steps, const Jacobian& jacobian) {
  Json json{{"time", steps.time}, {"response", Json::object()}, {"response_error", Json::object()}};
  for (std::size_t m = 0; m < jacobian.rows(); ++m)
    for (std::size_t j = 0; j < jacobian.columns.size(); ++j) {
      const std::size_t at = jacobian.at(m, j);
      if (at >= steps.of_entry.size() || steps.of_entry[at].empty()) continue;
      const auto& [observable, parameter] = std::pair(jacobian.statistics[m].name, jacobian.columns[j].parameter);
      json["response"][observable][parameter] =
          list_of(steps.of_entry[at], [](const response::Estimate& e) { return json_number(e.value); });
      json["response_error"][observable][parameter] =
          list_of(steps.of_entry[at], [](const response::Estimate& e) { return json_number(e.standard_error); });
    }
  return json;
}

}  // namespace gfdt::io

#include "gfdt/results/json/predictive_json.hpp"

#include "gfdt/data/json.hpp"

namespace gfdt::results {
namespace {

using Json = nlohmann::ordered_json;

Json curve_json(const char* axis, const calibrate::PredictiveCurve& curve) {
  return {{axis, data::json_numbers(curve.at)},         {"model", data::json_numbers(curve.model)},
          {"model_low", data::json_numbers(curve.low)}, {"model_high", data::json_numbers(curve.high)},
          {"guess", data::json_numbers(curve.guess)},   {"record", data::json_numbers(curve.record)},
          {"tail", data::json_number(curve.tail)}};
}

}  // namespace

Json to_json(const calibrate::Predictive& predictive) {
  const calibrate::PredictiveStatistics& statistics = predictive.statistics;
  Json json{{"draws", predictive.draws},
            {"length", predictive.length},
            {"sampling", predictive.sampling},
            {"series", Json::array()}};
  for (const calibrate::PredictiveSeries& series : predictive.series) {
    Json one{{"name", series.name}, {"kind", series.kind}};
    if (!series.column.empty()) one["column"] = series.column;
    one["density"] = curve_json("x", series.density);
    one["density"]["bandwidth"] = data::json_number(series.bandwidth);
    one["autocorrelation"] = curve_json("lag", series.autocorrelation);
    json["series"].push_back(std::move(one));
  }
  json["statistics"] = {
      {"observables", statistics.observables},           {"model", data::json_numbers(statistics.model)},
      {"model_low", data::json_numbers(statistics.low)}, {"model_high", data::json_numbers(statistics.high)},
      {"record", data::json_numbers(statistics.record)}, {"tail", data::json_numbers(statistics.tail)}};
  json["outside"] = calibrate::surprises(predictive);
  json["remarks"] = predictive.remarks;
  json["simulated_time"] = predictive.simulated_time;
  json["wall_seconds"] = predictive.wall_seconds;
  return json;
}

}  // namespace gfdt::results

#include "gfdt/results/json/evaluation_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "gfdt/base/error.hpp"
#include "gfdt/results/json/jacobian_json.hpp"

namespace gfdt::results {
namespace {

using calibrate::Evaluation;
using calibrate::Request;
using Json = nlohmann::ordered_json;

Json exact_numbers(const std::vector<double>& values) {
  Json result = Json::array();
  for (double value : values) result.push_back(exact_number(value));
  return result;
}

std::vector<double> exact_numbers_from(const Json& value) {
  if (!value.is_array()) throw Error("A list of numbers is expected.");
  std::vector<double> result;
  for (const Json& item : value) result.push_back(exact_number_from(item));
  return result;
}

Json average_json(const statistics::Average& average) {
  Json plain;
  if (average.plain) plain = {exact_number(average.plain->mean), exact_number(average.plain->standard_error)};
  return {{"name", average.name},
          {"mean", exact_number(average.mean)},
          {"standard_error", exact_number(average.standard_error)},
          {"degrees_of_freedom", exact_number(average.degrees_of_freedom)},
          {"standard_deviation", exact_number(average.standard_deviation)},
          {"autocorrelation_time", exact_number(average.autocorrelation_time)},
          {"autocorrelation_resolved", average.autocorrelation_resolved},
          {"effective_samples", exact_number(average.effective_samples)},
          {"plain", plain}};
}

statistics::Average average_from(const Json& value) {
  std::optional<statistics::PlainAverage> plain;
  if (const Json& kept = value.at("plain"); !kept.is_null())
    plain = {exact_number_from(kept.at(0)), exact_number_from(kept.at(1))};
  return {.name = value.at("name").get<std::string>(),
          .mean = exact_number_from(value.at("mean")),
          .standard_error = exact_number_from(value.at("standard_error")),
          .degrees_of_freedom = exact_number_from(value.at("degrees_of_freedom")),
          .standard_deviation = exact_number_from(value.at("standard_deviation")),
          .autocorrelation_time = exact_number_from(value.at("autocorrelation_time")),
          .autocorrelation_resolved = value.at("autocorrelation_resolved").get<bool>(),
          .effective_samples = exact_number_from(value.at("effective_samples")),
          .plain = plain};
}

Request::Purpose purpose_named(const std::string& name) {
  for (const auto purpose : {Request::Purpose::jacobian, Request::Purpose::statistics, Request::Purpose::stability})
    if (name == calibrate::name(purpose)) return purpose;
  throw Error(fmt::format("The purpose '{}' is not known.", name));
}

Request read_request(const Json& value) {
  Request request;
  request.purpose = purpose_named(value.at("purpose").get<std::string>());
  request.parameters = exact_numbers_from(value.at("parameters"));
  request.length = exact_number_from(value.at("length"));
  if (!value.at("seed").is_number_unsigned()) throw Error("The seed is not a whole number.");
  request.seed = value.at("seed").get<std::uint64_t>();
  request.precise = value.at("precise").get<bool>();
  return request;
}

Evaluation read_evaluation(const Json& value) {
  Evaluation result;
  for (const Json& average : value.at("statistics")) result.statistics.push_back(average_from(average));
  result.mean_covariance = exact_numbers_from(value.at("mean_covariance"));
  result.observable_covariance = exact_numbers_from(value.at("observable_covariance"));
  result.jacobian = exact_numbers_from(value.at("jacobian"));
  result.jacobian_error = exact_numbers_from(value.at("jacobian_error"));
  result.jacobian_degrees_of_freedom = exact_number_from(value.at("jacobian_degrees_of_freedom"));
  result.methods = value.at("methods").get<std::vector<std::string>>();
  result.warnings = value.at("warnings").get<std::vector<std::string>>();
  result.simulated_time = exact_number_from(value.at("simulated_time"));
  result.wall_seconds = exact_number_from(value.at("wall_seconds"));
  result.cancelled = value.at("cancelled").get<bool>();
  result.declined = value.value("declined", false);
  result.problem = value.at("problem").get<std::string>();
  if (const auto insight = value.find("insight"); insight != value.end())
    result.insight = std::make_shared<const calibrate::Insight>(insight_from_json(*insight));
  return result;
}

template <class Read>
auto in_sentences(const Read& read) {
  try {
    return read();
  } catch (const Json::exception& error) {
    throw Error(fmt::format("An entry is missing or of the wrong kind ({}).", error.what()));
  }
}

bool same_number(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

}  // namespace

Json exact_number(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

double exact_number_from(const Json& value) {
  if (!value.is_string()) {
    if (!value.is_number()) throw Error("A number is expected.");
    return value.get<double>();
  }
  const auto& word = value.get_ref<const std::string&>();
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (word == "inf") return std::numeric_limits<double>::infinity();
  if (word == "-inf") return -std::numeric_limits<double>::infinity();
  throw Error(fmt::format("'{}' is not a number.", word));
}

Json to_json(const Request& request) {
  return {{"purpose", calibrate::name(request.purpose)},
          {"parameters", exact_numbers(request.parameters)},
          {"length", exact_number(request.length)},
          {"seed", request.seed},
          {"precise", request.precise}};
}

Json to_json(const Evaluation& evaluation) {
  Json statistics = Json::array();
  for (const statistics::Average& average : evaluation.statistics) statistics.push_back(average_json(average));
  Json json{{"statistics", std::move(statistics)},
            {"mean_covariance", exact_numbers(evaluation.mean_covariance)},
            {"observable_covariance", exact_numbers(evaluation.observable_covariance)},
            {"jacobian", exact_numbers(evaluation.jacobian)},
            {"jacobian_error", exact_numbers(evaluation.jacobian_error)},
            {"jacobian_degrees_of_freedom", exact_number(evaluation.jacobian_degrees_of_freedom)},
            {"methods", evaluation.methods},
            {"warnings", evaluation.warnings},
            {"simulated_time", exact_number(evaluation.simulated_time)},
            {"wall_seconds", exact_number(evaluation.wall_seconds)},
            {"cancelled", evaluation.cancelled},
            {"problem", evaluation.problem}};
  if (evaluation.declined) json["declined"] = true;
  if (evaluation.insight) json["insight"] = to_json(*evaluation.insight);
  return json;
}

Request request_from_json(const Json& value) {
  return in_sentences([&] { return read_request(value); });
}

Evaluation evaluation_from_json(const Json& value) {
  return in_sentences([&] { return read_evaluation(value); });
}

bool same_request(const Request& a, const Request& b) {
  return a.purpose == b.purpose && std::ranges::equal(a.parameters, b.parameters, same_number) &&
         same_number(a.length, b.length) && a.seed == b.seed && a.precise == b.precise;
}

}  // namespace gfdt::results

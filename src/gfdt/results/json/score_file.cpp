#include "gfdt/results/json/score_file.hpp"

#include <fmt/format.h>

#include "gfdt/base/error.hpp"
#include "gfdt/data/json.hpp"
#include "gfdt/data/sealed_json.hpp"
#include "gfdt/data/source_text.hpp"
#include "gfdt/parallel/ranks.hpp"
#include "gfdt/results/json/network_json.hpp"
#include "gfdt/score/estimators/gaussian.hpp"
#include "gfdt/score/exact/exact_score.hpp"
#include "gfdt/score/fields/corrected_field.hpp"
#include "gfdt/score/fields/mean_field.hpp"
#include "gfdt/score/fields/network_field.hpp"
#include "gfdt/symbolic/text/print.hpp"

namespace gfdt::results {
namespace {

using Json = nlohmann::ordered_json;
using score::Field;

constexpr const char* format_name = "gfdt score";
constexpr std::size_t largest_score = std::size_t{1} << 30;

/// The canonical text of a formula; a very long text is cut off and followed by a hash of the formula.
std::string text_of(const symbolic::Expression& formula) {
  constexpr std::size_t longest = 10'000;
  const std::string text = symbolic::abbreviated(formula, longest);
  return text.size() < longest ? text : fmt::format("{} #{:016x}", text, formula.hash());
}

/// The formulas that determine the stationary density, as canonical text.
Json signature(const symbolic::Model& model) {
  Json result{{"states", Json::array()}, {"drift", Json::array()}, {"diffusion", Json::array()}};
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    result["states"].push_back(fmt::format("{} of {}", model.states[i].label(), model.states[i].sites()));
    result["drift"].push_back(text_of(model.drift[i]));
  }
  for (const symbolic::DiffusionTerm& term : model.diffusion)
    result["diffusion"].push_back(
        fmt::format("{} by {}: {}", model.states[term.state].name, text_of(term.noise_site), text_of(term.amplitude)));
  return result;
}

Json parameters_of(const symbolic::Model& model) {
  Json result = Json::object();
  for (const symbolic::Parameter& parameter : model.parameters) result[parameter.name] = parameter.value;
  return result;
}

Json network_field_json(const score::NetworkField& field) {
  const score::NetworkScore& parts = field.parts();
  return {{"kind", "network"},
          {"fitted_by", parts.method},
          {"fields", parts.arrangement.fields},
          {"sites", parts.arrangement.sites},
          {"mean", parts.normalisation.mean},
          {"std", parts.normalisation.std},
          {"noise", parts.noise},
          {"scale", parts.scale},
          {"linear", parts.linear},
          {"probes", field.probes()},
          {"network", to_json(parts.network)}};
}

Json field_json(const Field& field) {
  if (const auto* corrected = dynamic_cast<const score::CorrectedField*>(&field))
    return {{"kind", "corrected"}, {"matrix", corrected->matrix()}, {"base", field_json(*corrected->base())}};
  if (const auto* mean = dynamic_cast<const score::MeanField*>(&field)) {
    Json fields = Json::array();
    for (const auto& one : mean->fields()) fields.push_back(field_json(*one));
    return {{"kind", "mean"}, {"fields", fields}};
  }
  if (const auto* gaussian = dynamic_cast<const score::GaussianField*>(&field))
    return {{"kind", "gaussian"}, {"mean", gaussian->mean()}, {"precision", gaussian->precision()}};
  if (const auto* fitted = dynamic_cast<const score::NetworkField*>(&field)) return network_field_json(*fitted);
  throw Error(fmt::format("This score cannot be written to a file: {}.", field.description()));
}

std::shared_ptr<const Field> field_from_json(const Json& value, bool device) {
  const auto kind = value.at("kind").get<std::string>();
  if (kind == "corrected")
    return std::make_shared<score::CorrectedField>(field_from_json(value.at("base"), device),
                                                   value.at("matrix").get<std::vector<double>>());
  if (kind == "mean") {
    std::vector<std::shared_ptr<const Field>> fields;
    for (const Json& one : value.at("fields")) fields.push_back(field_from_json(one, device));
    return std::make_shared<score::MeanField>(std::move(fields));
  }
  if (kind == "gaussian")
    return std::make_shared<score::GaussianField>(value.at("mean").get<std::vector<double>>(),
                                                  value.at("precision").get<std::vector<double>>(),
                                                  "Gaussian with the mean and covariance of the samples");
  if (kind == "network") {
    constexpr int default_probes = 10;
    const int probes = value.at("probes").get<int>();
    return std::make_shared<score::NetworkField>(
        score::NetworkScore{value.at("fitted_by").get<std::string>(),
                            {value.at("fields").get<int>(), value.at("sites").get<int>()},
                            {value.at("mean").get<std::vector<double>>(), value.at("std").get<std::vector<double>>()},
                            value.at("noise").get<double>(),
                            value.at("scale").get<double>(),
                            value.at("linear").get<std::vector<double>>(),
                            network_from_json(value.at("network"))},
        probes > 0 ? probes : default_probes, device);
  }
  throw Error(fmt::format("A score of the kind '{}' is not known.", kind));
}

/// The first parameter that differs, as part of a sentence; empty if all agree.
std::string other_parameters(const Json& stored, const symbolic::Model& model) {
  for (const symbolic::Parameter& parameter : model.parameters) {
    if (!stored.contains(parameter.name)) return fmt::format("it does not know '{}'", parameter.name);
    const auto value = stored.at(parameter.name).get<double>();
    if (value != parameter.value)
      return fmt::format("it has {} = {} where the model has {}", parameter.name, value, parameter.value);
  }
  return {};
}

StoredScore read(const Json& document, const std::string& file, const symbolic::Model& model, Belonging belonging,
                 bool device) {
  if (!document.is_object() || document.value("format", "") != format_name)
    throw Error(fmt::format("'{}' is not a score file.", file));
  if (const int version = document.value("version", 0); version != score_format)
    throw Error(fmt::format("'{}' has version {} of the format and this program reads version {}: fit the score again.",
                            file, version, score_format));
  if (document.at("model") != signature(model))
    throw Error(fmt::format("The score in '{}' belongs to another model: its states or formulas differ.", file));
  if (belonging == Belonging::model_and_parameters)
    if (const std::string difference = other_parameters(document.at("parameters"), model); !difference.empty())
      throw Error(
          fmt::format("The score in '{}' belongs to other parameters: {}. Fit it again; it can serve as a start "
                      "for 'gfdt score --start'.",
                      file, difference));
  StoredScore result;
  const auto method = score::method_named(document.at("method").get<std::string>());
  if (!method) throw Error(fmt::format("'{}' names a method that is not known.", file));
  result.method = *method;
  result.certificate = document.value("certificate", Json());
  result.run = document.value("run", Json());
  if (result.method == score::Method::exact)
    result.field = score::exact_score(model);
  else
    result.field = field_from_json(document.at("field"), device);
  if (!result.field || result.field->dimension() != model.dimension())
    throw Error(fmt::format("The score in '{}' does not fit the model.", file));
  return result;
}

Json document_of(const std::string& text, const std::string& file) {
  try {
    return data::unsealed(text, /*checksum_required=*/false);
  } catch (const Error& error) {
    throw Error(fmt::format("'{}' is not a score file, or it is damaged. {}", file, error.what()));
  }
}

}  // namespace

Json run_json(const simulate::Options& options) {
  return {{"dt", options.dt},
          {"members", options.members},
          {"length", options.length},
          {"burn_in", options.burn_in_time()},
          {"cadence", options.cadence},
          {"scheme", simulate::name(options.scheme)},
          {"precision", simulate::name(options.precision)},
          {"seed", options.seed}};
}

std::string score_text(const symbolic::Model& model, score::Method method, const Field& field, const Json& extra) {
  Json document{{"format", format_name},
                {"version", score_format},
                {"method", score::name(method)},
                {"model", signature(model)},
                {"parameters", parameters_of(model)}};
  if (extra.is_object()) document.update(extra);
  if (method != score::Method::exact) document["field"] = field_json(field);
  return data::sealed_line(document) + "\n";
}

StoredScore parse_score(const std::string& text, const std::string& file, const symbolic::Model& model,
                        Belonging belonging, bool device) {
  try {
    return read(document_of(text, file), file, model, belonging, device);
  } catch (const Json::exception&) {
    throw Error(fmt::format("'{}' is damaged: an entry is missing or of the wrong kind.", file));
  } catch (const std::out_of_range&) {
    throw Error(fmt::format("'{}' is damaged: a layer lacks a number.", file));
  }
}

StoredScore read_score_file(const std::filesystem::path& file, const symbolic::Model& model, Belonging belonging,
                            bool device) {
  const std::string text = data::read_text_file(file, largest_score);
  ranks::require_same("score file", text);
  return parse_score(text, file.string(), model, belonging, device);
}

}  // namespace gfdt::results

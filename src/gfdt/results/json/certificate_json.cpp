#include "gfdt/results/json/certificate_json.hpp"

#include <fmt/format.h>

#include "gfdt/base/error.hpp"
#include "gfdt/data/json.hpp"

namespace gfdt::results {
namespace {

using Json = nlohmann::ordered_json;

Verdict verdict_from(const Json& value) {
  const auto& word = value.get_ref<const std::string&>();
  for (const Verdict verdict : {Verdict::passed, Verdict::failed, Verdict::unresolved, Verdict::not_applicable})
    if (word == name(verdict)) return verdict;
  throw Error(fmt::format("The verdict '{}' is not known.", word));
}

}  // namespace

Json to_json(const score::Certificate& certificate) {
  Json checks = Json::array(), marginals = Json::array();
  for (const score::CertificateTest& check : certificate.checks)
    checks.push_back({{"check", check.name},
                      {"value", data::json_number(check.value)},
                      {"standard_error", data::json_number(check.standard_error)},
                      {"half_width", data::json_number(check.half_width)},
                      {"tolerance", check.tolerance},
                      {"verdict", name(check.verdict)},
                      {"explanation", check.explanation},
                      {"advice", check.remedy}});
  for (const score::Marginal& marginal : certificate.marginals)
    marginals.push_back({{"name", marginal.name},
                         {"distance", data::json_number(marginal.distance)},
                         {"noise", data::json_number(marginal.noise)},
                         {"verdict", name(marginal.verdict)},
                         {"edges", data::json_numbers(marginal.edges)},
                         {"data", data::json_numbers(marginal.data)},
                         {"langevin", data::json_numbers(marginal.langevin)}});
  Json divergence;
  if (certificate.divergence)
    divergence = {{"mean", data::json_number(certificate.divergence->mean)},
                  {"standard_error", data::json_number(certificate.divergence->standard_error)},
                  {"probe_error", data::json_number(certificate.divergence->probe_error)},
                  {"probes", certificate.divergence->probes}};
  return {{"verdict", name(certificate.overall)},
          {"noise_responses", name(certificate.noise_responses)},
          {"checks", checks},
          {"marginals", marginals},
          {"divergence", divergence},
          {"samples", certificate.samples},
          {"escaped_chains", certificate.escaped_chains},
          {"langevin_time", certificate.langevin_time},
          {"evaluations", certificate.evaluations},
          {"wall_seconds", certificate.wall_seconds}};
}

score::Certificate certificate_from_json(const Json& value) {
  score::Certificate result;
  for (const Json& check : value.at("checks"))
    result.checks.push_back({.name = check.at("check").get<std::string>(),
                             .value = data::json_number_from(check.at("value")),
                             .standard_error = data::json_number_from(check.at("standard_error")),
                             .half_width = data::json_number_from(check.at("half_width")),
                             .tolerance = data::json_number_from(check.at("tolerance")),
                             .verdict = verdict_from(check.at("verdict")),
                             .explanation = check.at("explanation").get<std::string>(),
                             .remedy = check.at("advice").get<std::string>()});
  for (const Json& marginal : value.at("marginals"))
    result.marginals.push_back({.name = marginal.at("name").get<std::string>(),
                                .distance = data::json_number_from(marginal.at("distance")),
                                .noise = data::json_number_from(marginal.at("noise")),
                                .verdict = verdict_from(marginal.at("verdict")),
                                .edges = data::json_numbers_from(marginal.at("edges")),
                                .data = data::json_numbers_from(marginal.at("data")),
                                .langevin = data::json_numbers_from(marginal.at("langevin"))});
  if (const Json& divergence = value.at("divergence"); !divergence.is_null())
    result.divergence = {.mean = data::json_number_from(divergence.at("mean")),
                         .standard_error = data::json_number_from(divergence.at("standard_error")),
                         .probe_error = data::json_number_from(divergence.at("probe_error")),
                         .probes = divergence.at("probes").get<int>()};
  result.overall = verdict_from(value.at("verdict"));
  result.noise_responses = verdict_from(value.at("noise_responses"));
  result.samples = value.at("samples").get<std::size_t>();
  result.escaped_chains = value.at("escaped_chains").get<std::size_t>();
  result.langevin_time = data::json_number_from(value.at("langevin_time"));
  result.evaluations = value.at("evaluations").get<std::uint64_t>();
  result.wall_seconds = data::json_number_from(value.at("wall_seconds"));
  return result;
}

}  // namespace gfdt::results

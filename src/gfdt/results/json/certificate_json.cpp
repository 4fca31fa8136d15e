#include "gfdt/results/json/certificate_json.hpp"

#include <fmt/format.h>

#include "gfdt/base/error.hpp"
#include "gfdt/data/json.hpp"

namespace gfdt::io {
namespace {

using Json = nlohmann::ordered_json;

certificate::Verdict verdict_from(const Json& value) {
  using certificate::Verdict;
  const auto& word = value.get_ref<const std::string&>();
  for (const Verdict verdict : {Verdict::passed, Verdict::failed, Verdict::unresolved, Verdict::not_applicable})
    if (word == name(verdict)) return verdict;
  throw Error(fmt::format("The verdict '{}' is not known.", word));
}

}  // namespace

Json to_json(const certificate::Certificate& certificate) {
  Json checks = Json::array(), marginals = Json::array();
  for (const certificate::Check& check : certificate.checks)
    checks.push_back({{"check", check.name},
                      {"value", json_number(check.value)},
                      {"standard_error", json_number(check.standard_error)},
                      {"half_width", json_number(check.half_width)},
                      {"tolerance", check.tolerance},
                      {"verdict", name(check.verdict)},
                      {"explanation", check.explanation},
                      {"advice", check.advice}});
  for (const certificate::Marginal& marginal : certificate.marginals)
    marginals.push_back({{"name", marginal.name},
                         {"distance", json_number(marginal.distance)},
                         {"noise", json_number(marginal.noise)},
                         {"verdict", name(marginal.verdict)},
                         {"edges", json_numbers(marginal.edges)},
                         {"data", json_numbers(marginal.data)},
                         {"langevin", json_numbers(marginal.langevin)}});
  Json divergence;
  if (certificate.divergence)
    divergence = {{"mean", json_number(certificate.divergence->mean)},
                  {"standard_error", json_number(certificate.divergence->standard_error)},
                  {"probe_error", json_number(certificate.divergence->probe_error)},
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

certificate::Certificate certificate_from_json(const Json& value) {
  certificate::Certificate result;
  for (const Json& check : value.at("checks"))
    result.checks.push_back({.name = check.at("check").get<std::string>(),
                             .value = json_number_from(check.at("value")),
                             .standard_error = json_number_from(check.at("standard_error")),
                             .half_width = json_number_from(check.at("half_width")),
                             .tolerance = json_number_from(check.at("tolerance")),
                             .verdict = verdict_from(check.at("verdict")),
                             .explanation = check.at("explanation").get<std::string>(),
                             .advice = check.at("advice").get<std::string>()});
  for (const Json& marginal : value.at("marginals"))
    result.marginals.push_back({.name = marginal.at("name").get<std::string>(),
                                .distance = json_number_from(marginal.at("distance")),
                                .noise = json_number_from(marginal.at("noise")),
                                .verdict = verdict_from(marginal.at("verdict")),
                                .edges = json_numbers_from(marginal.at("edges")),
                                .data = json_numbers_from(marginal.at("data")),
                                .langevin = json_numbers_from(marginal.at("langevin"))});
  if (const Json& divergence = value.at("divergence"); !divergence.is_null())
    result.divergence = {.mean = json_number_from(divergence.at("mean")),
                         .standard_error = json_number_from(divergence.at("standard_error")),
                         .probe_error = json_number_from(divergence.at("probe_error")),
                         .probes = divergence.at("probes").get<int>()};
  result.overall = verdict_from(value.at("verdict"));
  result.noise_responses = verdict_from(value.at("noise_responses"));
  result.samples = value.at("samples").get<std::size_t>();
  result.escaped_chains = value.at("escaped_chains").get<std::size_t>();
  result.langevin_time = json_number_from(value.at("langevin_time"));
  result.evaluations = value.at("evaluations").get<std::uint64_t>();
  result.wall_seconds = json_number_from(value.at("wall_seconds"));
  return result;
}

}  // namespace gfdt::io

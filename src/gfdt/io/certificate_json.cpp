#include "gfdt/io/certificate_json.hpp"

#include "gfdt/io/json.hpp"

namespace gfdt::io {

using Json = nlohmann::ordered_json;

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

}  // namespace gfdt::io

#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gfdt::report {

using Json = nlohmann::ordered_json;

/// A name that no page may take for anything but a name.
inline const std::string nasty = "</script><b>&\"'";

inline Json sample_provenance() {
  return {{"version", "0.1.0"},
          {"date", "2026-01-02T03:04:05Z"},
          {"command_line", "gfdt calibrate sample.toml"},
          {"problem_file", "sample.toml"},
          {"problem_text", "# a <problem> & more\n"},
          {"set", {"F0=1"}},
          {"options", "dt=0.01"},
          {"seed", 7},
          {"threads", 2},
          {"machine", "somewhere"},
          {"processor", "some"}};
}

/// Two targets, parameters p and `nasty`; from (1, 2) to (0.5, 3) in two evaluations. N = diag(0.01, 0.04), residuals
/// 0.1 and −0.4: χ² = 1 + 4.
inline Json sample_calibration(const std::string& name = "kgmm") {
  const Json jacobian = Json::array({Json::array({1.5, -0.5}), Json::array({0.25, 2.0})});
  const Json errors = Json::array({Json::array({0.1, 0.2}), Json::array({0.05, nullptr})});
  const Json targets{{"observables", {"mean", nasty}},
                     {"value", {1.0, 2.0}},
                     {"covariance", Json::array({Json::array({0.0064, 0.0}), Json::array({0.0, 0.0256})})},
                     {"degrees_of_freedom", 19.0},
                     {"source", "912 rows of data.csv"},
                     {"remarks", Json::array({"The record is short."})}};
  const auto iteration = [&](double p, double q, double first, double second, double spent) {
    return Json{{"parameters", {{"p", p}, {nasty, q}}},
                {"statistics", {first, second}},
                {"statistics_error", {0.06, 0.12}},
                {"mismatch", 1.0},
                {"chi_square", 30.0},
                {"residual", {first - 1, second - 2}},
                {"jacobian", jacobian},
                {"jacobian_error", errors},
                {"method", {"gfdt (kgmm)", "finite-difference"}},
                {"length", 100.0},
                {"spent", spent},
                {"accepted", true},
                {"simulated_time", 100.0},
                {"wall_seconds", 1.0}};
  };
  return {{"status", "within-noise"},
          {"converged", true},
          {"explanation", "What is left cannot be told from noise."},
          {"targets", targets},
          {"iterations", Json::array({iteration(1, 2, 2, 4, 100), iteration(0.5, 3, 1.1, 1.6, 250)})},
          {"parameters", {{"p", 0.5}, {nasty, 3.0}}},
          {"parameters_error", {{"p", 0.05}, {nasty, 0.5}}},
          {"parameters_covariance", Json::array({Json::array({0.0025, 0.01}), Json::array({0.01, 0.25})})},
          {"parameters_correlation", Json::array({Json::array({1.0, 0.4}), Json::array({0.4, 1.0})})},
          {"singular_values", {12.5, 0.75}},
          {"weak_directions", Json::array({{{"relative_error", 0.6}, {"words", "p and q cannot be told apart"}}})},
          {"statistics", {1.1, 1.6}},
          {"statistics_error", {0.06, 0.12}},
          {"mismatch", 0.41231},
          {"chi_square", 5.0},
          {"chi_square_tail", 0.12},
          {"chi_square_parts", {1.0, 4.0}},
          {"deviations", {1.0, -2.0}},
          {"mismatch_covariance", Json::array({Json::array({0.01, 0.0}), Json::array({0.0, 0.04})})},
          {"simulated_time", 250.0},
          {"wall_seconds", 2.0},
          {"name", name},
          {"seed", 7},
          {"provenance", sample_provenance()}};
}

inline Json sample_jacobian() {
  const Json curve = Json::array({0.0, 0.8, 1.4, 1.5});
  return {{"status", "done"},
          {"name", "kgmm"},
          {"observables", {"mean"}},
          {"parameters", {"F0"}},
          {"jacobian", Json::array({Json::array({1.5})})},
          {"jacobian_error", Json::array({Json::array({0.1})})},
          {"method", {"gfdt (kgmm)"}},
          {"remark", {""}},
          {"window", {2.0, 3.0}},
          {"step_response",
           {{"time", {0.0, 1.0, 2.0, 3.0}},
            {"response", {{"mean", {{"F0", curve}}}}},
            {"response_error", {{"mean", {{"F0", {0.0, 0.1, 0.1, 0.1}}}}}},
            {"kernel", {{"mean", {{"F0", {1.0, 0.7, 0.3, 0.05}}}}}},
            {"kernel_error", {{"mean", {{"F0", {0.1, 0.1, 0.1, 0.1}}}}}}}},
          {"score",
           {{"name", "kgmm"},
            {"wall_seconds", 3.0},
            {"fits", Json::array({{{"description", "a network"}}})},
            {"certificates", Json::array({{{"verdict", "passed"},
                                           {"noise_responses", "failed"},
                                           {"checks", Json::array({{{"check", "Stein"},
                                                                    {"value", 0.02},
                                                                    {"standard_error", 0.01},
                                                                    {"tolerance", 0.1},
                                                                    {"verdict", "passed"},
                                                                    {"explanation", "It holds."},
                                                                    {"advice", ""}}})},
                                           {"marginals", Json::array({{{"name", "x"},
                                                                       {"distance", 0.02},
                                                                       {"noise", 0.01},
                                                                       {"verdict", "passed"},
                                                                       {"edges", {0.0, 1.0, 2.0}},
                                                                       {"data", {0.4, 0.6}},
                                                                       {"langevin", {0.5, 0.5}}}})},
                                           {"samples", 1000},
                                           {"escaped_chains", 0},
                                           {"langevin_time", 4.0},
                                           {"wall_seconds", 1.0}}})}}},
          {"findings",
           Json::array(
               {{{"check", "tails"}, {"passed", false}, {"verdict", "They are heavy."}, {"advice", "Run longer."}}})},
          {"simulated_time", 100.0},
          {"wall_seconds", 5.0},
          {"seed", 7},
          {"provenance", sample_provenance()}};
}

inline Json sample_predictive() {
  const Json curve{{"x", {-1.0, 0.0, 1.0}},         {"model", {0.2, 0.5, 0.2}}, {"model_low", {0.1, 0.4, 0.1}},
                   {"model_high", {0.3, 0.6, 0.3}}, {"guess", {0.3, 0.3, 0.3}}, {"record", {0.2, 0.6, 0.1}}};
  return {{"draws", 40},
          {"length", 912},
          {"sampling", 1},
          {"series", Json::array({{{"name", "x"}, {"kind", "state"}, {"column", "nino34"}, {"density", curve}}})},
          {"statistics",
           {{"observables", {"mean"}},
            {"model", {1.0}},
            {"model_low", {0.9}},
            {"model_high", {1.1}},
            {"record", {1.2}},
            {"tail", {0.02}}}}};
}

}  // namespace gfdt::report

#pragma once

#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "gfdt/jacobian/correlation/correlations.hpp"
#include "gfdt/statistics/checks/run_checks.hpp"

namespace gfdt::api {

using jacobian::Estimate;

inline const Estimate no_estimate{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};

/// Responses to a forcing of one parameter.
struct ResponseCurves {
  std::vector<std::string> observables;
  std::string parameter;
  double step = 0;  ///< of the scheme
  std::vector<double> time;
  std::vector<double> forcing;                  ///< at each time
  std::vector<std::vector<Estimate>> response;  ///< [observable][time]
  std::vector<std::vector<Estimate>> check;     ///< likewise, of the perturbed ensemble; empty where none was run

  /// How far the response of an observable is off the perturbed ensemble at the i-th time, in standard errors; NaN
  /// where it cannot be told. What the response changes by within a step, and a percent of the largest response, do not
  /// count.
  double off_by(std::size_t observable, std::size_t i) const;
};

/// Whether responses and perturbed ensemble agree at all times within their errors.
Diagnostic agreement(const ResponseCurves& curves);

/// {"name": [values], "name_error": [errors]} for an array of estimates of any depth.
void put(nlohmann::ordered_json& json, const std::string& name, const std::vector<Estimate>& estimates);
void put(nlohmann::ordered_json& json, const std::string& name, const std::vector<std::vector<Estimate>>& estimates);
void put(nlohmann::ordered_json& json, const std::string& name,
         const std::vector<std::vector<std::vector<Estimate>>>& estimates);

}  // namespace gfdt::api

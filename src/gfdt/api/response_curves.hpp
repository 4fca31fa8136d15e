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
  double step = 0;  ///< time step of the scheme
  std::vector<double> time;
  std::vector<double> forcing;                  ///< at each time
  std::vector<std::vector<Estimate>> response;  ///< [observable][time]
  std::vector<std::vector<Estimate>> check;     ///< likewise, from the perturbed ensemble; may be empty

  /// Deviation of the response from the perturbed ensemble at time i, in standard errors; NaN if it is not available. A
  /// tolerance of the change within one time step and one percent of the largest response is subtracted.
  double off_by(std::size_t observable, std::size_t i) const;
};

/// Whether responses and perturbed ensemble agree at all times within their standard errors.
Diagnostic agreement(const ResponseCurves& curves);

/// {"name": [values], "name_error": [errors]} for an array of estimates of any depth.
void put(nlohmann::ordered_json& json, const std::string& name, const std::vector<Estimate>& estimates);
void put(nlohmann::ordered_json& json, const std::string& name, const std::vector<std::vector<Estimate>>& estimates);
void put(nlohmann::ordered_json& json, const std::string& name,
         const std::vector<std::vector<std::vector<Estimate>>>& estimates);

}  // namespace gfdt::api

#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gfdt/response/correlations.hpp"
#include "gfdt/statistics/finding.hpp"

namespace gfdt::app {

using response::Estimate;

/// Responses to a forcing of one parameter, as they are shown.
struct ResponseCurves {
  std::vector<std::string> observables;
  std::string parameter;
  double step = 0;  ///< of the scheme
  std::vector<double> time;
  std::vector<double> forcing;                  ///< at each time
  std::vector<std::vector<Estimate>> response;  ///< [observable][time]
  std::vector<std::vector<Estimate>> check;     ///< likewise, of the perturbed ensemble; empty where none was run
};

/// About 20 of the times, beside the perturbed ensemble where there is one.
void print(std::FILE* file, const ResponseCurves& curves);
/// Whether responses and perturbed ensemble agree at all times within their errors. The time step tells them apart as
/// well: what the response changes by within a step, and a percent of the largest response, do not count.
statistics::Finding agreement(const ResponseCurves& curves);

/// {"name": [values], "name_error": [errors]} for an array of estimates of any depth.
void put(nlohmann::ordered_json& json, const std::string& name, const std::vector<Estimate>& estimates);
void put(nlohmann::ordered_json& json, const std::string& name, const std::vector<std::vector<Estimate>>& estimates);
void put(nlohmann::ordered_json& json, const std::string& name,
         const std::vector<std::vector<std::vector<Estimate>>>& estimates);

}  // namespace gfdt::app

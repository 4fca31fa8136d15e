#pragma once

#include <nlohmann/json.hpp>

#include "gfdt/calibrate/calibration.hpp"
#include "gfdt/calibrate/posterior/forecast.hpp"

namespace gfdt::results {

nlohmann::ordered_json to_json(const calibrate::Targets& targets);

/// The JSON document of a calibration: parameters and their errors by name, matrices as rows, infinite errors as null.
nlohmann::ordered_json to_json(const calibrate::Calibration& calibration, const calibrate::Problem& problem);
nlohmann::ordered_json to_json(const calibrate::Forecast& forecast, const calibrate::Problem& problem);

}  // namespace gfdt::results

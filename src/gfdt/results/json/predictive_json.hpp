#pragma once

#include <nlohmann/json.hpp>

#include "gfdt/calibrate/posterior/predictive.hpp"

namespace gfdt::results {

/// As docs/report.md has it; numbers that are not known are null.
nlohmann::ordered_json to_json(const calibrate::Predictive& predictive);

}  // namespace gfdt::results

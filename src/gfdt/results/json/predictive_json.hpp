#pragma once

#include <nlohmann/json.hpp>

#include "gfdt/calibrate/posterior/predictive.hpp"

namespace gfdt::results {

/// The format is documented in docs/report.md; missing numbers are null.
nlohmann::ordered_json to_json(const calibrate::Predictive& predictive);

}  // namespace gfdt::results

#pragma once

#include <nlohmann/json.hpp>

#include "gfdt/calibrate/search/insight.hpp"
#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"

namespace gfdt::results {

/// Rows are observables. Missing numbers are null.
nlohmann::ordered_json to_json(const jacobian::Jacobian& jacobian);

/// How the score was come by, with its certificates.
nlohmann::ordered_json to_json(const jacobian::ScoreFits& score);
nlohmann::ordered_json to_json(const jacobian::ScoreAccount& score);

/// Time and, by observable and parameter, value and standard error.
nlohmann::ordered_json to_json(const jacobian::StepResponses& steps, const jacobian::Jacobian& jacobian);

/// Window, step responses and score of a Jacobian, as above.
nlohmann::ordered_json to_json(const calibrate::Insight& insight);
/// Throws Error or nlohmann's exception for what was not written by `to_json`. Numbers that are null become NaN, so
/// that the same is written again.
calibrate::Insight insight_from_json(const nlohmann::ordered_json& value);

}  // namespace gfdt::results

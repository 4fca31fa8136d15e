#pragma once

#include <nlohmann/json.hpp>

#include "gfdt/calibrate/search/insight.hpp"
#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"

namespace gfdt::results {

/// Rows are observables. Missing numbers are null.
nlohmann::ordered_json to_json(const jacobian::Jacobian& jacobian);

/// How the score was obtained, with its certificates.
nlohmann::ordered_json to_json(const jacobian::ScoreFits& score);
nlohmann::ordered_json to_json(const jacobian::ScoreAccount& score);

/// Times; values and standard errors by observable and parameter.
nlohmann::ordered_json to_json(const jacobian::StepResponses& steps, const jacobian::Jacobian& jacobian);

/// Window, step responses and score of a Jacobian, in the formats above.
nlohmann::ordered_json to_json(const calibrate::Insight& insight);
/// Throws Error or nlohmann's exception for a value that `to_json` did not write. A null number becomes NaN, which is
/// written as null again.
calibrate::Insight insight_from_json(const nlohmann::ordered_json& value);

}  // namespace gfdt::results

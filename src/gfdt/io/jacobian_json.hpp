#pragma once

#include <nlohmann/json.hpp>

#include "gfdt/response/gfdt_jacobian.hpp"

namespace gfdt::io {

/// Rows are observables. Numbers that could not be had are null.
nlohmann::ordered_json to_json(const response::Jacobian& jacobian);

/// How the score was come by, with its certificates.
nlohmann::ordered_json to_json(const response::ScoreFits& score);

/// Time and, by observable and parameter, value and standard error.
nlohmann::ordered_json to_json(const response::StepResponses& steps, const response::Jacobian& jacobian);

}  // namespace gfdt::io

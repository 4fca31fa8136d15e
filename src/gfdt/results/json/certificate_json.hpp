#pragma once

#include <nlohmann/json.hpp>

#include "gfdt/score/certificate/certificate.hpp"

namespace gfdt::results {

nlohmann::ordered_json to_json(const score::Certificate& certificate);
/// Back again, null as NaN. Throws Error or nlohmann's exception for what was not written by `to_json`.
score::Certificate certificate_from_json(const nlohmann::ordered_json& value);

}  // namespace gfdt::results

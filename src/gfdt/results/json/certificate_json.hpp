#pragma once

#include <nlohmann/json.hpp>

#include "gfdt/score/certificate/certificate.hpp"

namespace gfdt::results {

nlohmann::ordered_json to_json(const score::Certificate& certificate);
/// The inverse of `to_json`; null becomes NaN. Throws Error or nlohmann's exception for a value that `to_json` did not
/// write.
score::Certificate certificate_from_json(const nlohmann::ordered_json& value);

}  // namespace gfdt::results

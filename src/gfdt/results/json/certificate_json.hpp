#pragma once

#include <nlohmann/json.hpp>

#include "gfdt/score/certificate/certificate.hpp"

namespace gfdt::io {

nlohmann::ordered_json to_json(const certificate::Certificate& certificate);
/// Back again, null as NaN. Throws Error or nlohmann's exception for what was not written by `to_json`.
certificate::Certificate certificate_from_json(const nlohmann::ordered_json& value);

}  // namespace gfdt::io

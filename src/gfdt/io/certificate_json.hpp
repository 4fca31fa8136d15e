#pragma once

#include <nlohmann/json.hpp>

#include "gfdt/certificate/certificate.hpp"

namespace gfdt::io {

nlohmann::ordered_json to_json(const certificate::Certificate& certificate);

}  // namespace gfdt::io

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "gfdt/statistics/checks/finding.hpp"

namespace gfdt::results {

nlohmann::ordered_json to_json(const std::vector<statistics::Finding>& findings);

}  // namespace gfdt::results

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "gfdt/statistics/checks/run_checks.hpp"

namespace gfdt::results {

nlohmann::ordered_json to_json(const std::vector<Diagnostic>& diagnostics);

}  // namespace gfdt::results

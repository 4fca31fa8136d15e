#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// The function of that name; sqrt is none, being a power.
std::optional<Function> function_of_name(std::string_view name);

/// Everything that can be called: functions, sqrt, sum, mean.
const std::vector<std::string>& callable_names();

}  // namespace gfdt::symbolic

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// The function with this name, if any. Not sqrt, which is a power.
std::optional<Function> function_of_name(std::string_view name);

/// Names of everything that can be called: functions, sqrt, sum, mean.
const std::vector<std::string>& callable_names();

}  // namespace gfdt::symbolic

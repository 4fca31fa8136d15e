#pragma once

#include <span>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// Value of a function, or of a power, for numeric arguments; NaN or infinite where it is undefined.
double function_value(Function function, std::span<const double> arguments);
double power_value(double base, double exponent);

}  // namespace gfdt::symbolic

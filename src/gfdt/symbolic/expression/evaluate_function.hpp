#pragma once

#include <span>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::expression {

double function_value(Function function, std::span<const double> arguments);
double power_value(double base, double exponent);

}  // namespace gfdt::expression

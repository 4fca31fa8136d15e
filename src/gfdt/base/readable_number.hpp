#pragma once

#include <string>

namespace gfdt {

/// A factor of a power of ten, such as "×10⁻⁷".
std::string times_power_of_ten(int power);

/// A number to three digits, such as "0.0123", "1240" or "7.51×10¹²".
std::string approximate(double value);

/// A share as a percentage to two digits, without decimals from 10 %: "0.35 %", "27 %", "132 %".
std::string percent(double share);

}  // namespace gfdt

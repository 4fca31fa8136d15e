#pragma once

#include <string>

namespace gfdt {

/// Formats a number with its standard error in parentheses: two digits, in units of the last digits of the number, such
/// as `0.502(12)`, `-0.0231(89)` or `1.598(16)×10⁶`. An error of at least one, beside a number with decimals, has a
/// decimal point: `12.3(4.5)`. An unknown error (NaN) gives `0.71(?)`, an infinite one `0.71 (not determined)`. An
/// error of zero is omitted. A number that is not finite gives "undefined".
std::string with_error(double value, double error);

/// Note to print below tables of such numbers.
constexpr const char* errors_in_parentheses = "In parentheses: the standard error of the last digits.";

}  // namespace gfdt

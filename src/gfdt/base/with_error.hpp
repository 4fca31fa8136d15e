#pragma once

#include <string>

namespace gfdt {

/// A number with its standard error in parentheses, two digits of it, in units of the number's last digits:
/// `0.502(12)`,
/// `-0.0231(89)`, `1.598(16)e6`. An error of one or more beside digits after the point has a point too: `12.3(4.5)`.
/// `0.71(?)` where the error is not known, `0.71 (not determined)` where it is infinite; a number without an error
/// is exact; «undefined» where there is no number.
std::string with_error(double value, double error);

/// What tables with such numbers say below them.
constexpr const char* errors_in_parentheses = "In parentheses: the standard error of the last digits.";

}  // namespace gfdt

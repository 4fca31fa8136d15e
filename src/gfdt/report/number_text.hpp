#pragma once

#include <string>

namespace gfdt::report {

/// A number to four digits, "–" for NaN.
std::string brief(double value);

/// A number and its standard error, rounded to two digits of the error: `1.358 ± 0.007`, `(1.598 ± 0.016)e6`.
std::string plus_minus(double value, double error);

/// The value alone, to the digits that `plus_minus` gives it.
std::string rounded_to(double value, double error);

/// As `plus_minus`, for a parameter; one without a finite error is "not determined".
std::string answer_text(double value, double error);

/// `12.3 s`, `4 min 5 s`, `2 h 10 min`.
std::string duration(double seconds);

}  // namespace gfdt::report

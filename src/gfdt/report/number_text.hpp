#pragma once

#include <string>

namespace gfdt::report {

/// A number to four digits, «–» for what is none.
std::string brief(double value);

/// A number and its error to the digits that mean something: `1.358 ± 0.007`, `(1.598 ± 0.016)e6`.
std::string plus_minus(double value, double error);

/// The same of a parameter; where the document has no error of it nothing determines it, and that is said.
std::string answer_text(double value, double error);

/// `12.3 s`, `4 min 5 s`, `2 h 10 min`.
std::string duration(double seconds);

}  // namespace gfdt::report

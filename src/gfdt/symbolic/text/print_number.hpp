#pragma once

#include <functional>
#include <string>

namespace gfdt::symbolic {

/// The shortest decimal that reads back as the same number; `pi` for pi.
std::string decimal(double value);

/// The same, or p/q where that is shorter and reads back as the same number.
std::string number_text(double value);

struct Fraction {
  double numerator = 1;
  double denominator = 1;
};

/// value ≈ p/q with small p and q that read back as the number wanted; value/1 when there are none or the decimal is
/// short.
Fraction small_fraction(double value, const std::function<bool(double p, double q)>& reads_as_wanted);

}  // namespace gfdt::symbolic

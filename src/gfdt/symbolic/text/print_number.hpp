#pragma once

#include <functional>
#include <string>

namespace gfdt::symbolic {

/// The shortest decimal that reads back as the same number; `pi` for π.
std::string decimal(double value);

/// The same, or p/q if that is shorter and reads back as the same number.
std::string number_text(double value);

/// A fraction of two numbers, usually small integers.
struct Fraction {
  double numerator = 1;
  double denominator = 1;
};

/// value ≈ p/q with small integers p and q for which `reads_as_wanted` is true; value/1 if there are none or if the
/// decimal is short.
Fraction small_fraction(double value, const std::function<bool(double p, double q)>& reads_as_wanted);

}  // namespace gfdt::symbolic

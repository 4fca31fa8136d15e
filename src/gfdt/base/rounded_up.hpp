#pragma once

#include <cmath>

namespace gfdt {

/// The next number of two digits, for advice: 170 for 163.4. `{:g}` prints it without an exponent up to a million.
inline double rounded_up(double positive) {
  if (!(positive > 0) || !std::isfinite(positive)) return positive;
  const double unit = std::pow(10.0, std::floor(std::log10(positive)) - 1);
  return std::ceil(positive / unit * (1 - 1e-12)) * unit;
}

}  // namespace gfdt

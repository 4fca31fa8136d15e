#pragma once

#include <cmath>

namespace gfdt {

/// Rounds up to two significant digits, for advice to the user: 163.4 becomes 170. `{:g}` prints the result without an
/// exponent up to a million. Numbers that are not positive and finite are returned unchanged.
inline double rounded_up(double positive) {
  if (!(positive > 0) || !std::isfinite(positive)) return positive;
  const double unit = std::pow(10.0, std::floor(std::log10(positive)) - 1);
  return std::ceil(positive / unit * (1 - 1e-12)) * unit;
}

}  // namespace gfdt

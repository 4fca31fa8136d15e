#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace gfdt::calibrate {

/// What is known of a parameter beforehand: a normal law, on the natural scale.
struct Prior {
  double mean = 0;
  double std = 0;
};

/// A parameter to be found. Steps are taken in a coordinate η that knows no bounds:
///
///     no bound        θ = η
///     one bound       θ = lower + e^η              θ = upper − e^η
///     two bounds      θ = lower + (upper − lower)/(1 + e^−η)
struct FreeParameter {
  std::string name;
  double value = 0;  ///< the guess
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  std::optional<Prior> prior = {};

  double coordinate(double natural) const;
  double natural(double coordinate) const;
  double slope(double natural) const;  ///< dθ/dη
  bool bounded() const { return std::isfinite(lower) || std::isfinite(upper); }

  /// What is wrong with it, as a sentence; empty when nothing is.
  std::string problem() const;
};

}  // namespace gfdt::calibrate

#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace gfdt::calibrate {

/// Prior knowledge of a parameter: a normal distribution on the natural scale.
struct Prior {
  double mean = 0;
  double std = 0;
};

/// A parameter to be calibrated. Steps are taken in an unbounded coordinate η:
///
///     no bound        θ = η
///     one bound       θ = lower + e^η              θ = upper − e^η
///     two bounds      θ = lower + (upper − lower)/(1 + e^−η)
struct FreeParameter {
  std::string name;
  double value = 0;  ///< the initial guess, strictly inside the bounds
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  std::optional<Prior> prior = {};

  double coordinate(double natural) const;  ///< η(θ)
  double natural(double coordinate) const;  ///< θ(η)
  double slope(double natural) const;       ///< dθ/dη
  bool bounded() const { return std::isfinite(lower) || std::isfinite(upper); }

  /// A sentence that describes the first error in the definition; empty if there is none.
  std::string problem() const;
};

}  // namespace gfdt::calibrate

#include "gfdt/calibrate/free_parameter.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gfdt::calibrate {

double FreeParameter::coordinate(double natural) const {
  const bool below = std::isfinite(lower), above = std::isfinite(upper);
  if (below && above) return std::log((natural - lower) / (upper - natural));
  if (below) return std::log(natural - lower);
  if (above) return std::log(upper - natural);
  return natural;
}

double FreeParameter::natural(double coordinate) const {
  const bool below = std::isfinite(lower), above = std::isfinite(upper);
  if (below && above) return lower + (upper - lower) / (1 + std::exp(-coordinate));
  if (below) return lower + std::exp(coordinate);
  if (above) return upper - std::exp(coordinate);
  return coordinate;
}

double FreeParameter::slope(double natural) const {
  const bool below = std::isfinite(lower), above = std::isfinite(upper);
  if (below && above) return (natural - lower) * (upper - natural) / (upper - lower);
  if (below) return natural - lower;
  if (above) return natural - upper;
  return 1;
}

std::string FreeParameter::problem() const {
  if (!(lower < upper))
    return fmt::format("The bounds of '{}' contradict each other: lower = {:g}, upper = {:g}.", name, lower, upper);
  if (!std::isfinite(value)) return fmt::format("The parameter '{}' has no finite value to start from.", name);
  if (!(value > lower && value < upper))
    return fmt::format(
        "The guess {} = {:g} is not inside its bounds, {:g} to {:g}: the search starts inside and never leaves.", name,
        value, lower, upper);
  if (prior && !(std::isfinite(prior->mean) && std::isfinite(prior->std) && prior->std > 0))
    return fmt::format("The prior of '{}' needs a finite mean and a positive std.", name);
  return {};
}

}  // namespace gfdt::calibrate

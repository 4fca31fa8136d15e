#include "gfdt/report/round_ticks.hpp"

#include <algorithm>
#include <cmath>

namespace gfdt::report {

std::vector<double> round_ticks(double low, double high, int most) {
  std::vector<double> ticks;
  if (!(high > low) || !std::isfinite(low) || !std::isfinite(high)) return ticks;
  // The span holds at most span/step + 1 multiples of the step.
  const double least = (high - low) / std::max(most - 1, 1), power = std::pow(10, std::floor(std::log10(least)));
  double step = 10 * power;
  for (double factor : {5.0, 2.0, 1.0})
    if (factor * power >= least * (1 - 1e-12)) step = factor * power;
  const double slack = 1e-9 * step;
  for (double n = std::ceil((low - slack) / step); n * step <= high + slack; ++n)
    ticks.push_back(n == 0 ? 0 : n * step);
  return ticks;
}

}  // namespace gfdt::report

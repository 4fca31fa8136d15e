#pragma once

#include <algorithm>

namespace gfdt::calibrate {

/// How long the next runs are. A run is long enough when the step it asks for stands out of the noise of the
/// simulation: `significance` is the mean square of the step's components in standard deviations of that noise. The
/// next mismatch is expected to be a fifth of this one, and should stand out five times:
///
///     next = length · 625/significance,   within [length, 8 length] and not above `longest`.
inline double next_length(double length, double longest, double significance) {
  constexpr double reduction = 5, wanted = 5, most_growth = 8;
  const double growth = significance > 0 ? reduction * reduction * wanted * wanted / significance : most_growth;
  return std::min(longest, length * std::clamp(growth, 1.0, most_growth));
}

}  // namespace gfdt::calibrate

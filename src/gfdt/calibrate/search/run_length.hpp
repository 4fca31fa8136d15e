#pragma once

#include <algorithm>

namespace gfdt::calibrate {

/// The length of the next runs. A run is long enough if its step is significant compared with simulation noise:
/// `significance` is the mean square of the components of the step, in standard deviations of that noise. The next
/// mismatch is expected to be a fifth of this one, and should be five standard deviations large:
///
///     next = length · 625/significance,   within [length, 8 length] and not above `longest`.
inline double next_length(double length, double longest, double significance) {
  constexpr double reduction = 5, wanted = 5, most_growth = 8;
  const double growth = significance > 0 ? reduction * reduction * wanted * wanted / significance : most_growth;
  return std::min(longest, length * std::clamp(growth, 1.0, most_growth));
}

}  // namespace gfdt::calibrate

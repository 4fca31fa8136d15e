#pragma once

#include <vector>

namespace gfdt::report {

/// Multiples of 1, 2 or 5 times a power of ten within [low, high], `most` of them at most.
std::vector<double> round_ticks(double low, double high, int most);

}  // namespace gfdt::report

#pragma once

#include "gfdt/control_variate/fit/sample_sums.hpp"

namespace gfdt::control_variate {

/// Inflation of the errors with each nested set of functions, for a u fitted on the groups of this half.
///
/// <L φ> = 0 holds for the stationary distribution, but not for samples that lack rare states. A sufficiently large set
/// of functions can make A + L u constant at all such samples, with a constant other than <A>. Hotelling's T² of the
/// means of L φ over groups detects this: no average is off by more than T of its standard errors, and by chance T² is
/// K ± √(2K) for K functions. The squared inflation is 1 plus the excess of T² over chance, for this set or the next
/// larger one.
std::vector<double> inflations(const SampleSums& sums, std::size_t half, const std::vector<std::size_t>& sizes);

}  // namespace gfdt::control_variate

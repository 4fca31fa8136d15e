#pragma once

#include "gfdt/control_variate/fit/sample_sums.hpp"

namespace gfdt::control_variate {

/// By how much errors with each set of functions, the first so many, are larger than the samples show them, where u is
/// fitted on the groups of this half.
///
/// <L φ> = 0 over the invariant law; over samples that lack rare states it need not be, and a set of functions that is
/// rich enough makes A + L u constant at all samples, with a constant that is not <A>. Hotelling's T² of the means of
/// L φ over groups tells: no average is further off than T of its standard errors, and chance makes T² K ± √(2K) for K
/// functions. What it has above that, with this set or the next larger one, is the square of the inflation, plus one.
std::vector<double> inflations(const SampleSums& sums, std::size_t half, const std::vector<std::size_t>& sizes);

}  // namespace gfdt::control_variate

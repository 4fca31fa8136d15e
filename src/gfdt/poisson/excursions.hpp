#pragma once

#include <vector>

#include "gfdt/score/samples.hpp"

namespace gfdt::poisson {

/// States a little further out than a run has been, [state][component]: its most extreme samples along every component
/// (every field of a ring), their distance from the mean stretched. What a fitted function does there tells what an
/// excursion would add that the run might have made and has not.
std::vector<double> excursions(const score::Samples& samples);

}  // namespace gfdt::poisson

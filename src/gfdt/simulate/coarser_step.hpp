#pragma once

#include "gfdt/simulate/options.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::simulate {

/// Ratios of the longer time steps with which the bias of a time step is estimated. Longer steps show the bias more
/// clearly than shorter ones and cost less. The ratios are tried in turn until a run is stable.
inline constexpr int coarser_ratios[] = {4, 2};

/// Options with a time step `ratio` times as long and, as far as the cadence permits, the same interval between
/// samples.
Options with_coarser_step(Options options, int ratio);

/// Increase of the time-step bias for a step `ratio` times as long, in units of the bias: ratio^p − 1 for a scheme of
/// weak order p, whose bias is c dt^p. p is ½ if the noise contains a root whose argument may be zero.
double excess_bias(const symbolic::Model& model, Scheme scheme, int ratio);

}  // namespace gfdt::simulate

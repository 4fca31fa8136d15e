#pragma once

#include "gfdt/simulate/options.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::simulate {

/// Runs with longer time steps show the bias of a time step more clearly than those with shorter ones, and cost less.
/// These are tried in turn until one is stable.
inline constexpr int coarser_ratios[] = {4, 2};

/// The options with a time step `ratio` times as long; samples are as far apart as before where the cadence allows it.
Options with_coarser_step(Options options, int ratio);

/// A scheme of weak order p has a bias of c dt^p. That with a time step `ratio` times as long exceeds it by this many
/// times the bias itself, ratio^p − 1. p is ½ where the noise contains the root of something that may be zero.
double excess_bias(const symbolic::Model& model, Scheme scheme, int ratio);

}  // namespace gfdt::simulate

#pragma once

#include "gfdt/score/estimators/denoising.hpp"
#include "gfdt/score/estimators/kgmm.hpp"
#include "gfdt/score/selection/options.hpp"

namespace gfdt::score {

/// Translates the options to those of each estimator. `warm`: whether training starts from an earlier fit.
KgmmOptions kgmm_options(const Options& options, bool warm = false);
DenoisingOptions denoising_options(const Options& options, Method method, const Arrangement& arrangement,
                                   std::size_t samples, bool warm = false);

}  // namespace gfdt::score

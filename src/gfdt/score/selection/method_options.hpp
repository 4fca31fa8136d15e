#pragma once

#include "gfdt/score/estimators/denoising.hpp"
#include "gfdt/score/estimators/kgmm.hpp"
#include "gfdt/score/selection/options.hpp"

namespace gfdt::score {

/// What the options say to each estimator; `warm`: training begins from an earlier fit.
KgmmOptions kgmm_options(const Options& options, bool warm = false);
DenoisingOptions denoising_options(const Options& options, Method method, const Arrangement& arrangement,
                                   std::size_t samples, bool warm = false);

}  // namespace gfdt::score

#pragma once

#include "gfdt/calibrate/ensemble_kalman/kalman_update.hpp"
#include "gfdt/calibrate/free_parameter.hpp"
#include "gfdt/calibrate/options.hpp"

namespace gfdt::calibrate {

/// The ensemble that ensemble Kalman inversion starts from, natural scale: drawn from the priors; where there is none,
/// normal around the guess, with a standard deviation of `ensemble_spread` of the guess, or `ensemble_spread` itself
/// where the guess is 0. A draw outside the bounds is drawn again; where a law hardly ever lies inside them, the draws
/// are normal around the guess in the coordinate without bounds.
Members first_ensemble(const std::vector<FreeParameter>& parameters, const Options& options,
                       const codegen::Stream& normals);

}  // namespace gfdt::calibrate

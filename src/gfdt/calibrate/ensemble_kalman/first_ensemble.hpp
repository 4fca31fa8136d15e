#pragma once

#include "gfdt/calibrate/ensemble_kalman/kalman_update.hpp"
#include "gfdt/calibrate/free_parameter.hpp"
#include "gfdt/calibrate/options.hpp"

namespace gfdt::calibrate {

/// The initial ensemble of ensemble Kalman inversion, natural scale. Parameters are drawn from their priors; a
/// parameter without a prior is normal around the guess, with a standard deviation of `ensemble_spread` times the
/// guess, or of `ensemble_spread` if the guess is 0. A draw outside the bounds is repeated. If nearly all draws lie
/// outside, the parameter is instead normal around the guess in its unbounded coordinate.
Members first_ensemble(const std::vector<FreeParameter>& parameters, const Options& options,
                       const codegen::Stream& normals);

}  // namespace gfdt::calibrate

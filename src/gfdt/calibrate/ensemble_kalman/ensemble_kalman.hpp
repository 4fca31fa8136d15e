#pragma once

#include "gfdt/calibrate/calibration.hpp"

namespace gfdt::calibrate {

/// Ensemble Kalman inversion: an ensemble of parameters drawn from the priors is moved, without a derivative, to one
/// drawn from the posterior, in steps that add up to 1 (`data_misfit_step`).
///
///  - It lives in the coordinates η of the parameters, and starts from `first_ensemble`.
///  - A member is a run of `first_length` of the full length, for what matters is what all of them say together; its
///    own noise is accounted for. Before each step and at the end the mean is run at full length: those are the
///    iterations of the result, so that there is one more of them than steps.
///  - A member that cannot be evaluated is replaced, after the step, by a draw from the others.
///  - `damping` of an iteration is α of the step taken from it.
///
/// At the end of all steps the spread of the ensemble is the posterior; stopped before, by `iterations` steps, by the
/// simulated time or by the tolerance, it is wider. That is why a mean within noise does not end the search
/// (`until_noise`). Throws Error for a problem or options that make no sense.
Calibration ensemble_kalman(const Problem& problem, const Options& options, Evaluator& evaluator,
                            const simulate::Control& control = {}, const Observer& observer = {});

}  // namespace gfdt::calibrate

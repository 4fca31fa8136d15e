#pragma once

#include "gfdt/calibrate/calibration.hpp"

namespace gfdt::calibrate {

/// Ensemble Kalman inversion. It moves an ensemble of parameters drawn from the priors to an ensemble drawn from the
/// posterior, without derivatives, in steps that add up to 1 (`data_misfit_step`).
///
///  - The ensemble is stored in the coordinates η of the parameters and starts from `first_ensemble`.
///  - The run of a member has `first_length` of the full length, because only the ensemble as a whole matters; the
///    noise of each run is accounted for. Before each step and at the end, the mean is run at full length. These runs
///    are the iterations of the result, so there is one more of them than there are steps.
///  - A member that cannot be evaluated is replaced, after the step, by a draw from the others.
///  - `damping` of an iteration is α of the step taken from it.
///
/// After all steps, the spread of the ensemble is the posterior. If the search ends earlier, because of the number of
/// `iterations`, the simulated time or the tolerance, the spread is wider. For this reason a mean within noise does not
/// end the search unless `ensemble_to_posterior` is false. Throws Error if the problem or the options are invalid.
Calibration ensemble_kalman(const Problem& problem, const Options& options, Evaluator& evaluator,
                            const simulate::Control& control = {}, const Observer& observer = {});

}  // namespace gfdt::calibrate

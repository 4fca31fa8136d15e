#pragma once

#include "gfdt/statistics/checks/pilot_run.hpp"

namespace gfdt::statistics {

/// Whether the model has a metastable state that the run of `options` may have missed.
///
/// A state that a run hardly visits does not appear in its statistics, yet it may dominate derivatives. Stronger noise
/// finds such states: an ensemble of 256 members is driven by three times the noise for some time and then relaxes
/// under the noise of the model, for a twentieth of the length and at least five times the longest autocorrelation time
/// of `pilot`. It is compared with 128 members that are driven by the noise of the model only. Stronger noise crosses
/// barriers, but it does not leave a domain on whose boundary the noise vanishes and does not change conserved
/// quantities.
///
/// The check fails if at least eight members settle apart. This means that their time average of some state, or of its
/// square, lies outside the range of the other ensemble (without its smallest and largest value) by more than half that
/// range, and does not move back during the averaging. If both ensembles have the same distribution, the number of such
/// members is bounded by a negative binomial variable: the probability of a false alarm is below 1e-5 per average for
/// exponential tails and 5e-3 for tails that decay as y^-3.
///
/// Not judged for models that depend on time, or if all members blow up under stronger noise.
Diagnostic metastability(const symbolic::Model& model, const simulate::Options& options, const PilotRun& pilot,
                         const simulate::Control& control = {});

}  // namespace gfdt::statistics

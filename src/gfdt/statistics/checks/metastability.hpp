#pragma once

#include "gfdt/statistics/checks/pilot_run.hpp"

namespace gfdt::statistics {

/// Whether the model has a metastable state that the run of `options` may have missed.
///
/// A state that a run hardly visits shows in no statistic of it, yet its probability may dominate derivatives. Stronger
/// noise finds it: one ensemble of 256 members is driven by three times the noise for a while, and then relaxes under
/// the noise of the model, for a twentieth of the length and at least five times the longest autocorrelation time of
/// `pilot`. It is compared with 128 members that have seen the noise of the model only. Stronger noise crosses
/// barriers, but neither leaves the domain of the model where its noise vanishes nor changes what the model conserves.
///
/// The check fails where at least eight members settle apart: their time average of some state, or of its square, lies
/// farther outside the range of the other ensemble than half that range, whose least and largest value do not count,
/// and it does not move back during that time. When both ensembles have the same distribution, the number of members so
/// far outside is bounded by a negative binomial variable: the probability of a false alarm is below 1e-5 per average
/// for exponential tails and 5e-3 for tails that decay like y^-3.
///
/// Not judged for models that depend on time, and where all members blow up under stronger noise.
Diagnostic metastability(const symbolic::Model& model, const simulate::Options& options, const PilotRun& pilot,
                         const simulate::Control& control = {});

}  // namespace gfdt::statistics

#pragma once

#include "gfdt/calibrate/targets/targets.hpp"
#include "gfdt/simulate/ensemble.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::calibrate {

/// The statistics of the model itself as targets, for an experiment whose answer is known. The random numbers differ
/// from those of runs with the same options. `control_variate` reduces their variance and their time-step bias with
/// control variates, as for the statistics that are to match them. Throws Error if the run cannot be used.
Targets reference_targets(const symbolic::Model& model, const simulate::Options& options,
                          const simulate::Control& control = {}, bool control_variate = true);

}  // namespace gfdt::calibrate

#pragma once

#include "gfdt/calibrate/targets/targets.hpp"
#include "gfdt/simulate/ensemble.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::calibrate {

/// The statistics that a model has, as targets: an experiment whose answer is known. Random numbers are others than
/// those of runs with the same options. With `control_variate` noise is taken off them, and the bias of the time step
/// with it, as it is off the statistics that are to match them. Throws Error when the run cannot be used.
Targets reference_targets(const symbolic::Model& model, const simulate::Options& options,
                          const simulate::Control& control = {}, bool control_variate = true);

}  // namespace gfdt::calibrate

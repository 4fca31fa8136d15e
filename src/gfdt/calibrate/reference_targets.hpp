#pragma once

#include "gfdt/calibrate/targets.hpp"
#include "gfdt/model/model.hpp"
#include "gfdt/simulate/ensemble.hpp"

namespace gfdt::calibrate {

/// The statistics that a model has, as targets: an experiment whose answer is known. Random numbers are others than
/// those of runs with the same options. Throws Error when the run cannot be used.
Targets reference_targets(const model::Model& model, const simulate::Options& options,
                          const simulate::Control& control = {});

}  // namespace gfdt::calibrate

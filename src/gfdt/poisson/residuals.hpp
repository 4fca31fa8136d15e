#pragma once

#include "gfdt/poisson/control_variate.hpp"
#include "gfdt/statistics/observed_functions.hpp"

namespace gfdt::poisson {

/// A + L u of all observables, in place of A: what is left for the remainder of a response.
statistics::ObservedFunctions residuals(const model::Model& model, const ControlVariate& fit,
                                        const Quantities& observables);

/// The same of observables that u does not resolve: A + L u varies enough to have a bias of its own.
statistics::ObservedFunctions unresolved_residuals(const model::Model& model, const ControlVariate& fit,
                                                   const Quantities& observables);

}  // namespace gfdt::poisson

#pragma once

#include "gfdt/control_variate/control_variate.hpp"
#include "gfdt/statistics/checks/time_step_bias.hpp"
#include "gfdt/statistics/observed_functions.hpp"

namespace gfdt::control_variate {

/// A + L u of all observables, in place of A: what is left for the remainder of a response.
statistics::ObservedFunctions residuals(const symbolic::Model& model, const ControlVariate& fit,
                                        const Quantities& observables);

/// The bias of the time step, of plain averages and of A + L u where u does not resolve an observable. `fit`: the
/// control variate of the averages, null without.
statistics::TimeStepBias time_step_bias(const symbolic::Model& model, const simulate::Options& options,
                                        std::span<const statistics::Average> averages, const ControlVariate* fit,
                                        const statistics::ObservedFunctions& functions,
                                        const simulate::Control& control);

}  // namespace gfdt::control_variate

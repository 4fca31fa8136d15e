#pragma once

#include "gfdt/control_variate/control_variate.hpp"
#include "gfdt/statistics/checks/time_step_bias.hpp"
#include "gfdt/statistics/observed_functions.hpp"

namespace gfdt::control_variate {

/// A + L u of all observables, in place of A. The remainder of a response is computed from these functions.
statistics::ObservedFunctions residuals(const symbolic::Model& model, const ControlVariate& fit,
                                        const Quantities& observables);

/// The time-step bias of plain averages, and of A + L u for observables that u does not resolve. `fit`: the control
/// variate of the averages, null without one.
statistics::TimeStepBias time_step_bias(const symbolic::Model& model, const simulate::Options& options,
                                        std::span<const statistics::Average> averages, const ControlVariate* fit,
                                        const statistics::ObservedFunctions& functions,
                                        const simulate::Control& control);

}  // namespace gfdt::control_variate

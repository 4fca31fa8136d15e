#pragma once

#include <span>

#include "gfdt/calibrate/targets/mismatch.hpp"
#include "gfdt/simulate/options.hpp"
#include "gfdt/statistics/checks/time_step_bias.hpp"

namespace gfdt::calibrate {

/// Compares the time-step biases b of the statistics at an answer with the covariance N of the mismatch: they change
/// the parameters by up to √(bᵀN⁻¹b) standard errors. Only significant biases are included. `averages` are the
/// statistics for which `bias` was measured.
Diagnostic judge_time_step(const statistics::TimeStepBias& bias, const simulate::Options& options,
                           std::span<const statistics::Average> averages, const Mismatch& mismatch);

}  // namespace gfdt::calibrate

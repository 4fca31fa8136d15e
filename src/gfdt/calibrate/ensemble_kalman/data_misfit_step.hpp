#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace gfdt::calibrate {

/// The next step 1/α between the prior, 0, and the posterior, 1, from the misfits Φ = ½ rᵀN⁻¹r of an ensemble to q
/// targets (Iglesias and Yang, "Adaptive regularisation for ensemble Kalman inversion", Inverse Problems 2021):
///
///     1/α = min( max( q / 2<Φ>, √(q / 2 var Φ) ), left )
///
/// `left` is the distance from 1. Far from the targets steps are small, so that no step moves the ensemble beyond the
/// range in which a linear map is accurate. If the misfits are at the level of noise, <Φ> = q/2, one step covers the
/// distance.
inline double data_misfit_step(std::span<const double> misfits, std::size_t targets, double left) {
  const auto count = static_cast<double>(misfits.size()), q = static_cast<double>(targets);
  double mean = 0, variance = 0;
  for (const double misfit : misfits) mean += misfit / count;
  for (const double misfit : misfits) variance += (misfit - mean) * (misfit - mean) / (count - 1);
  return std::min(std::max(q / (2 * mean), std::sqrt(q / (2 * variance))), left);
}

}  // namespace gfdt::calibrate

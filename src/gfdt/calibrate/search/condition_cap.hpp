#pragma once

namespace gfdt::calibrate {

/// λ of the paper's cap on steps of ill-conditioned problems:
///
///     ‖λδ‖/‖θ‖ ≤ capped_step   if the condition number is `cap` or more, otherwise λ = 1.
inline double condition_cap(double condition, double cap, double capped_step, double step_norm, double parameter_norm) {
  if (condition < cap || step_norm <= capped_step * parameter_norm) return 1;
  return capped_step * parameter_norm / step_norm;
}

}  // namespace gfdt::calibrate

#pragma once

#include "gfdt/calibrate/linear_model.hpp"

namespace gfdt::calibrate {

/// Whether there is anything left to gain, from the full Gauss–Newton step δ = −H r (priors besides) with
/// H = (SᵀBS + Π)⁻¹SᵀB. Given the targets, δ is uncertain by the noise C of the simulation, P_C = H C Hᵀ; given the
/// parameters, the answer is uncertain by P = H N Hᵀ.
struct Prospect {
  Eigen::VectorXd step;     ///< δ
  double significance = 0;  ///< δᵀ P_C⁻¹ δ, a component
  double relevance = 0;     ///< δᵀ P⁻¹ δ, a component
  /// δᵀ P_C⁻¹ δ is within twice the quantile of χ²: this run's noise and that of the run which led here.
  bool insignificant = false;
  /// δ is within a fifth of a standard error of the answer.
  bool irrelevant = false;
  /// δᵀ P⁻¹ δ is within the quantile of χ²: the noise of targets and simulation explains it.
  bool within_noise = false;
  double remaining = 0;           ///< χ² that is left after the step, as far as the linear model knows
  double degrees_of_freedom = 0;  ///< of it: targets and priors beyond the parameters
  bool reachable = true;          ///< it is what noise makes, but once in a thousand times

  /// A step that the trust region cuts short, and that cannot be taken at once, must be explained by noise.
  bool nothing_to_gain(bool restricted) const { return irrelevant || (restricted ? within_noise : insignificant); }
};

Prospect prospect(const LinearModel& model, double confidence);

/// Where noise alone explains a mismatch this rarely, something else does.
inline constexpr double beyond_noise = 1e-3;

}  // namespace gfdt::calibrate

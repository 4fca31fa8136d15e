#pragma once

#include "gfdt/calibrate/linear_model.hpp"

namespace gfdt::calibrate {

/// Whether there is anything left to gain, from the full Gauss–Newton step δ = −H r (priors besides) with
/// H = A⁻¹SᵀB, A = SᵀBS + Π. Given the targets, δ is uncertain by the noise C of the simulation, P_C = H C Hᵀ; given
/// the parameters, the answer is uncertain by P = H N Hᵀ + A⁻¹ΠA⁻¹. P_C counts as no less than (0.01)² P: what a
/// simulation without noise tells is not known better than that. Quantiles are those of Hotelling's T², with two
/// degrees of freedom a parameter at least.
struct Prospect {
  Eigen::VectorXd step;     ///< δ
  double significance = 0;  ///< δᵀ P_C⁻¹ δ, a component
  double relevance = 0;     ///< δᵀ P⁻¹ δ, a component
  /// δᵀ P_C⁻¹ δ is within twice the quantile: this run's noise and that of the run which led here.
  bool insignificant = false;
  /// δ is within a fifth of a standard error of the answer.
  bool irrelevant = false;
  /// δᵀ P⁻¹ δ is within the quantile: the noise of targets and simulation explains it.
  bool within_noise = false;
  double remaining = 0;  ///< χ² that is left after the step which lowers it most, as far as linear models know
  double degrees_of_freedom = 0;  ///< of it: targets and priors beyond the parameters that they determine
  bool reachable = true;          ///< it is what noise makes, but once in a thousand times
  /// Not reachable, and at a minimum: δ is within a fiftieth of the standard errors of an answer whose targets are as
  /// uncertain as what is left of χ² says. That is the relative offset √(δᵀP⁻¹δ/p) / √(χ²/ν) of Bates and Watts, "A
  /// relative offset orthogonality convergence criterion for nonlinear least squares", Technometrics 1981.
  bool stationary = false;

  /// A step that the trust region cuts short, and that cannot be taken at once, must be explained by noise.
  bool nothing_to_gain(bool restricted) const {
    return irrelevant || stationary || (restricted ? within_noise : insignificant);
  }
};

Prospect prospect(const LinearModel& model, double confidence);

/// Where noise alone explains a mismatch this rarely, something else does.
inline constexpr double beyond_noise = 1e-3;

}  // namespace gfdt::calibrate

#pragma once

#include <limits>

#include "gfdt/calibrate/search/linear_model.hpp"

namespace gfdt::calibrate {

/// A change of the coordinates η.
struct Step {
  Eigen::VectorXd change;
  double damping = 0;       ///< μ
  double length = 0;        ///< ‖δ/D‖, in the norm of the trust region
  bool restricted = false;  ///< whether the trust region shortened it

  /// Shortens the step for a reason other than the trust region.
  void shorten(double share) {
    change *= share;
    length *= share;
    restricted = false;
  }
};

/// The y with (A + μ) y = −g and ‖y‖ ≤ radius for the smallest μ ≥ 0: the minimum of ½ yᵀAy + gᵀy within the region.
/// Components along directions without curvature are zero. The change of the returned step is y.
Step within_region(const Eigen::MatrixXd& curvature, const Eigen::VectorXd& gradient, double radius);

/// Above this number of parameters the normal equations are not formed: conjugate gradients multiply by S and Sᵀ.
inline constexpr Eigen::Index most_factorised = 200;

/// The step that lowers Φ most,
///
///     (SᵀBS + Π + Γ + μ D⁻²) δ = −(SᵀBr + Ππ),        ‖δ/D‖ ≤ radius,
///
/// with Γ = γ diag(‖S_1‖²_B, …, ‖S_p‖²_B) and the smallest μ ≥ 0 that keeps it within the trust region. D⁻¹_j is the
/// norm of the j-th column in standard deviations of the observables: one unit of δ_j/D_j moves the statistics by about
/// one standard deviation. 10⁻⁶ Π_jj is added to its square, so that a parameter without effect on the statistics has a
/// scale. Components along directions in which nothing changes are zero.
Step solve_step(const LinearModel& model, double tikhonov, double radius = std::numeric_limits<double>::infinity());

/// The diagonal of D⁻¹.
Eigen::VectorXd trust_scale(const LinearModel& model);

/// cond(B^½ S D′), where D′ scales the columns to norm 1.
double scaled_condition(const LinearModel& model);

}  // namespace gfdt::calibrate

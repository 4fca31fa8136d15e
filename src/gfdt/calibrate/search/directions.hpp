#pragma once

#include <vector>

#include "gfdt/calibrate/search/step.hpp"

namespace gfdt::calibrate {

/// How much targets and priors say of a direction in the space of the parameters.
enum class Knowledge {
  determined,    ///< its standard error is of the size of the parameters or below, or moving along it pays for certain
  undetermined,  ///< the statistics hardly change along it: the parameters stay where they are
  unresolved,    ///< the errors of the Jacobian hide which of the two it is: steps along it are damped
};

/// An eigenvector of the information SᵀBS + Π, in units of `parameter_scale`.
struct Direction {
  Eigen::VectorXd change;  ///< of η, per unit
  double sensitivity = 0;  ///< √λ: change of statistics and priors per unit, in standard deviations of the noise
  double sensitivity_error = 0;  ///< the sensitivity that the errors of the Jacobian alone would produce
  double gradient = 0;           ///< ∂Φ per unit
  double posterior_error = 0;    ///< standard error of the answer along it, in units
  double simulation_error = 0;   ///< the part of it that is the noise of the simulation
  double jacobian_error = 0;     ///< error of the minimum along it that comes from the errors of the Jacobian
  bool informative = false;      ///< whether the sensitivity is more than rounding, and not just errors of the Jacobian
  Knowledge knowledge = Knowledge::undetermined;

  bool is_fitted() const { return informative && knowledge != Knowledge::undetermined; }
  /// Gauss–Newton step along it, in units. Where the Jacobian is noisy its squared errors are added to the curvature.
  double step() const;
  /// The largest change of the statistics along it, in standard deviations of the noise, that the errors of the
  /// Jacobian allow within the size of the parameters.
  double possible_reach() const;
  /// The distance from the minimum along it, in posterior standard errors.
  double remaining() const;
};

/// Changes of η that count as one unit: those that move the statistics by a standard deviation of the observables, but
/// no less than the size of the parameter and no more than thirty times that. A parameter with a bound has a logarithm
/// for its coordinate, and one unit is a factor of e.
Eigen::VectorXd parameter_scale(const LinearModel& model);

/// The size of each parameter as a change of η: the larger of its value and its guess; 1 with a bound; of a parameter
/// that is and was 0 the change that moves the statistics by a standard deviation of the observables.
Eigen::VectorXd parameter_sizes(const LinearModel& model);

/// Whether a parameter changes along a direction, in units of `parameter_scale`. A part below three percent is within
/// the error with which a direction is known.
bool changes_along(const Direction& direction, const Eigen::VectorXd& scale, Eigen::Index parameter);

/// All directions, those with the largest sensitivity first.
std::vector<Direction> directions_of(const LinearModel& model);

/// The step along all but undetermined directions that lowers Φ most,
///
///     (Λ + Γ + μM) z = −∇Φ,      zᵀMz ≤ radius²,      M = TᵀT + ¼ RᵀR
///
/// where Tz is the predicted change of the statistics in standard deviations of the observables and Rz the change of
/// the parameters relative to their size: the region limits both.
Step solve_step(const LinearModel& model, const std::vector<Direction>& directions, double tikhonov, double radius);

}  // namespace gfdt::calibrate

#pragma once

#include <vector>

#include "gfdt/calibrate/search/step.hpp"

namespace gfdt::calibrate {

/// How well targets and priors determine a direction in parameter space.
enum class Knowledge {
  determined,    ///< its standard error is at most the size of the parameters, or a step along it lowers Φ
                 ///< significantly
  undetermined,  ///< the statistics hardly change along it: the parameters stay at their values
  unresolved,    ///< errors of the Jacobian hide which of the two it is: steps along it are damped
};

/// An eigenvector of the information SᵀBS + Π, in units of `parameter_scale`.
struct Direction {
  Eigen::VectorXd change;  ///< change of η per unit
  double sensitivity = 0;  ///< √λ: change of statistics and priors per unit, in standard deviations of the noise
  double sensitivity_error = 0;  ///< the sensitivity that errors of the Jacobian alone would produce
  double gradient = 0;           ///< derivative of Φ per unit
  double posterior_error = 0;    ///< standard error of the answer along it, in units
  double simulation_error = 0;   ///< the contribution of simulation noise to it
  double jacobian_error = 0;     ///< error of the minimum along it due to errors of the Jacobian
  bool informative = false;      ///< whether the sensitivity exceeds rounding and errors of the Jacobian
  Knowledge knowledge = Knowledge::undetermined;

  bool is_fitted() const { return informative && knowledge != Knowledge::undetermined; }
  /// Gauss–Newton step along the direction, in units. The squared errors of the Jacobian are added to the curvature.
  double step() const;
  /// The largest change of the statistics along the direction, in standard deviations of the noise, that is compatible
  /// with the errors of the Jacobian, for steps of the size of the parameters.
  double possible_reach() const;
  /// The distance from the minimum along the direction, in posterior standard errors.
  double remaining() const;
};

/// The changes of η that define one unit: those that move the statistics by one standard deviation of the observables,
/// but at least the size of the parameter and at most thirty times its size. The coordinate of a bounded parameter is a
/// logarithm, and its unit is a factor of e.
Eigen::VectorXd parameter_scale(const LinearModel& model);

/// The size of each parameter as a change of η: the larger of its value and its guess in magnitude; 1 for a bounded
/// parameter; if both are 0, the change that moves the statistics by one standard deviation of the observables.
Eigen::VectorXd parameter_sizes(const LinearModel& model);

/// Whether a parameter changes along a direction, in units of `parameter_scale`. A component below three percent is
/// within the error of the direction itself.
bool changes_along(const Direction& direction, const Eigen::VectorXd& scale, Eigen::Index parameter);

/// All directions, in descending order of sensitivity.
std::vector<Direction> directions_of(const LinearModel& model);

/// The step along all fitted directions that minimises Φ,
///
///     (Λ + Γ + μM) z = −∇Φ,      zᵀMz ≤ radius²,      M = TᵀT + ¼ RᵀR
///
/// where Tz is the predicted change of the statistics in standard deviations of the observables and Rz is the change of
/// the parameters relative to their size: the region limits both.
Step solve_step(const LinearModel& model, const std::vector<Direction>& directions, double tikhonov, double radius);

}  // namespace gfdt::calibrate

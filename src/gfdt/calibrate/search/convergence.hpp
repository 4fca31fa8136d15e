#pragma once

#include "gfdt/calibrate/search/directions.hpp"

namespace gfdt::calibrate {

/// How far the parameters are from the minimum of Φ, and what limits that knowledge.
struct Prospect {
  std::vector<Direction> directions;  ///< empty for more parameters than are factorised
  Eigen::VectorXd step;               ///< Gauss–Newton step along all but undetermined directions
  int rank = 0;                       ///< number of these directions
  bool unresolved = false;            ///< whether the errors of the Jacobian hide a direction
  double remaining = 0;               ///< largest distance along one of them, in posterior standard errors
  double simulation_share = 0;        ///< largest share of the simulation's noise in such a standard error
  double jacobian_share = 0;          ///< largest error of the minimum by errors of the Jacobian, in standard errors
  double significance = 0;            ///< mean square of the step, in standard deviations of the simulation's noise
  bool insignificant = true;          ///< no component of it is larger than three of these
  double chi_square = 0;              ///< of mismatch and priors after the step, to first order
  double degrees_of_freedom = 0;      ///< of it: targets and priors less these directions
  bool reachable = true;              ///< whether noise produces as much, at the level `rejection_level`
  /// Not reachable, and at a minimum: the step is within a fiftieth of the standard errors of an answer whose targets
  /// are as uncertain as this χ² implies. That is the relative offset √(δᵀP⁻¹δ/p) / √(χ²/ν) of Bates and Watts, "A
  /// relative offset orthogonality convergence criterion for nonlinear least squares", Technometrics 1981.
  bool stationary = false;
  double hidden_reach = 0;  ///< change of the statistics that unresolved directions allow, in standard deviations of N

  /// Whether no step, along unresolved directions either, explains the mismatch by noise.
  bool beyond_reach() const { return !reachable && hidden_reach * hidden_reach < chi_square; }
  bool at_minimum() const { return remaining <= largest_remaining || stationary; }
  /// Whether the parameters are known to be at the minimum, whatever the random numbers of the simulation are.
  bool independent_of_noise() const {
    return remaining <= largest_remaining && simulation_share <= largest_remaining &&
           jacobian_share <= largest_remaining;
  }
  /// The length at which the noise of the simulation no longer matters, from what it is in a run of this length.
  double sufficient_length(double length) const;

  /// In posterior standard errors. Simulation noise of 0.07 keeps two answers within 0.3 of each other.
  static constexpr double largest_remaining = 0.1, negligible_noise = 0.07;
  /// Where noise keeps a search from coming closer, this is close enough.
  static constexpr double near_minimum = 0.3;
  /// Farther from the minimum than this is no answer, however noisy the runs are.
  static constexpr double farthest_end = 1;
};

Prospect prospect(const LinearModel& model);

/// A fit is rejected where noise alone explains its χ² more rarely than this.
inline constexpr double rejection_level = 1e-3;

}  // namespace gfdt::calibrate

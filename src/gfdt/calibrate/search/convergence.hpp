#pragma once

#include "gfdt/calibrate/search/directions.hpp"

namespace gfdt::calibrate {

/// Estimated distance from the minimum of Φ, and the errors that limit this estimate.
struct Prospect {
  std::vector<Direction> directions;  ///< empty for more than `most_factorised` parameters
  Eigen::VectorXd step;               ///< Gauss–Newton step along all directions that are fitted
  int rank = 0;                       ///< number of fitted directions
  bool unresolved = false;            ///< whether errors of the Jacobian hide a direction
  double remaining = 0;               ///< largest distance along a fitted direction, in posterior standard errors
  double simulation_share = 0;        ///< largest ratio of the simulation noise to the posterior standard error
  double jacobian_share = 0;          ///< largest error of the minimum due to the Jacobian, in posterior standard
                                      ///< errors
  double significance = 0;            ///< mean square of the step, in standard deviations of the simulation noise
  bool insignificant = true;          ///< whether no component of the step exceeds three of these standard deviations
  double chi_square = 0;              ///< of mismatch and priors after the step, to first order
  double degrees_of_freedom = 0;      ///< of chi_square: targets and priors minus fitted directions
  bool reachable = true;              ///< whether noise produces such a chi_square, at the level `rejection_level`
  /// Not reachable, but at a minimum: the step is within a fiftieth of the standard errors of an answer whose targets
  /// are as uncertain as this χ² implies. That is the relative offset √(δᵀP⁻¹δ/p) / √(χ²/ν) of Bates and Watts, "A
  /// relative offset orthogonality convergence criterion for nonlinear least squares", Technometrics 1981.
  bool stationary = false;
  double hidden_reach = 0;  ///< largest change of the statistics along unresolved directions, in noise deviations

  /// Whether noise cannot explain the mismatch after any step, including steps along unresolved directions.
  bool beyond_reach() const { return !reachable && hidden_reach * hidden_reach < chi_square; }
  bool at_minimum() const { return remaining <= largest_remaining || stationary; }
  /// Whether the parameters are at the minimum for any random numbers of the simulation.
  bool independent_of_noise() const {
    return remaining <= largest_remaining && simulation_share <= largest_remaining &&
           jacobian_share <= largest_remaining;
  }
  /// The length at which simulation noise becomes negligible, extrapolated from a run of this length; may be infinite.
  double sufficient_length(double length) const;

  /// In posterior standard errors. Simulation noise of 0.07 keeps two answers within 0.3 of each other.
  static constexpr double largest_remaining = 0.1, negligible_noise = 0.07;
  /// Sufficient distance from the minimum if noise prevents a closer approach, in posterior standard errors.
  static constexpr double near_minimum = 0.3;
  /// Largest distance from the minimum of any answer, however noisy the runs are, in posterior standard errors.
  static constexpr double farthest_end = 1;
};

Prospect prospect(const LinearModel& model);

/// A fit is rejected if the p-value of its χ² is below this level.
inline constexpr double rejection_level = 1e-3;

}  // namespace gfdt::calibrate

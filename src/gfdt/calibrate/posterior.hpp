#pragma once

#include <string>
#include <vector>

#include "gfdt/calibrate/free_parameter.hpp"
#include "gfdt/calibrate/mismatch.hpp"

namespace gfdt::calibrate {

/// A combination of parameters that the targets say little of.
struct WeakDirection {
  std::vector<double> components;  ///< relative changes of the parameters, largest 1 in size
  double relative_error = 0;       ///< standard error along it, as a relative change
  std::string words;               ///< "F0 and b cannot be told apart by these observables"
};

/// What is known of the parameters in the end, natural scale.
///
///     H = A⁻¹SᵀB,   A = SᵀBS + Π                  B: weights, Π: priors
///     P = H N Hᵀ + A⁻¹ΠA⁻¹ + H E Hᵀ               N: covariance of targets and simulation
///                                                 E_mm = Σ_j se(S_mj)² (δ_j² + P_jj): the error of S itself
///
/// which is A⁻¹ + H E Hᵀ for B = N⁻¹, where H N Hᵀ is widened by what an estimated N costs; δ is the last step. Where
/// the answer does not include it, δδᵀ is added.
struct Posterior {
  std::vector<double> covariance;  ///< [row][column]; infinite variances of what nothing determines
  std::vector<double> precision;   ///< its inverse, 0 along what nothing determines
  std::vector<double> correlation;
  std::vector<double> standard_error;
  double degrees_of_freedom = 0;        ///< of the covariance; infinite where it is known
  std::vector<double> singular_values;  ///< of N^−½ S in relative changes of the parameters, largest first
  std::vector<WeakDirection> weak;

  /// Whether a point lies in the region that holds the true parameters with this probability.
  bool holds(const std::vector<double>& point, const std::vector<double>& center, double confidence) const;
};

}  // namespace gfdt::calibrate

#pragma once

#include <string>
#include <vector>

#include "gfdt/calibrate/free_parameter.hpp"
#include "gfdt/calibrate/targets/mismatch.hpp"

namespace gfdt::calibrate {

/// A combination of parameters that the targets constrain weakly or not at all.
struct WeakDirection {
  std::vector<double> components;  ///< changes of the parameters in units of their size; the largest is 1
  double relative_error = 0;       ///< standard error along it, in the same units; infinite if undetermined
  std::string words;               ///< "F0 and b are not separately identifiable from these statistics."
};

/// Nonlinearity of the statistics within the confidence region, and 95 % intervals that account for it.
struct Curvature {
  bool measured = false;
  double largest = 0;                ///< largest relative curvature over the directions (curvature.hpp)
  std::vector<double> lower, upper;  ///< ends of the intervals, natural scale; infinite if none was found

  /// Above this value the Gaussian region cannot be trusted.
  static constexpr double tolerable = 0.3;
  bool matters() const { return measured && !(largest <= tolerable); }
  /// Above this value the intervals, which are accurate to second order, are only rough.
  static constexpr double second_order = 1;
  bool is_strong() const { return measured && !(largest <= second_order); }
};

/// The uncertainty of the calibrated parameters, natural scale.
///
///     H = A⁻¹SᵀB,   A = SᵀBS + Π                  B: weights, Π: priors
///     P = H N Hᵀ + A⁻¹(Π + R)A⁻¹ + H E Hᵀ         N: covariance of targets and simulation
///                                                 E_mm = Σ_j se(S_mj)² (δ_j² + P_jj): the error of S in the step
///                                                 R_jj = Σ_m se(S_mj)² (Br)_m²: its error in the gradient SᵀBr
///
/// δ is the last step. H N Hᵀ is widened if N is estimated; δδᵀ is added if the answer does not include the step.
struct Posterior {
  std::vector<double> covariance;  ///< [row][column]; variances of undetermined parameters are infinite
  std::vector<double> precision;   ///< inverse of the covariance, 0 along undetermined directions
  std::vector<double> correlation;
  std::vector<double> standard_error;
  double degrees_of_freedom = 0;        ///< of the covariance; infinite if it is known exactly
  std::vector<double> singular_values;  ///< of N^−½ S in relative changes of the parameters, largest first
  std::vector<WeakDirection> weak;

  /// Whether `point` lies in the region around `center` that contains the true parameters with this probability.
  bool holds(const std::vector<double>& point, const std::vector<double>& center, double confidence) const;
};

}  // namespace gfdt::calibrate

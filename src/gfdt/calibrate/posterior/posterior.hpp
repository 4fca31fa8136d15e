#pragma once

#include <string>
#include <vector>

#include "gfdt/calibrate/free_parameter.hpp"
#include "gfdt/calibrate/targets/mismatch.hpp"

namespace gfdt::calibrate {

/// A combination of parameters that the targets constrain weakly or not at all.
struct WeakDirection {
  std::vector<double> components;  ///< changes of the parameters in units of their size, largest 1
  double relative_error = 0;       ///< standard error along it, in the same units
  std::string words;               ///< "F0 and b are not separately identifiable from these statistics."
};

/// How much the statistics curve within the region of an answer, and 95 % intervals that follow the curvature.
struct Curvature {
  bool measured = false;
  double largest = 0;                ///< relative curvature of the direction where it is largest (curvature.hpp)
  std::vector<double> lower, upper;  ///< ends of the intervals, natural scale; infinite where none was found

  /// Above this the Gaussian region cannot be trusted.
  static constexpr double tolerable = 0.3;
  bool matters() const { return measured && !(largest <= tolerable); }
  /// Above this the intervals, which are of second order, are rough too.
  static constexpr double second_order = 1;
  bool is_strong() const { return measured && !(largest <= second_order); }
};

/// What is known of the parameters in the end, natural scale.
///
///     H = A⁻¹SᵀB,   A = SᵀBS + Π                  B: weights, Π: priors
///     P = H N Hᵀ + A⁻¹(Π + R)A⁻¹ + H E Hᵀ         N: covariance of targets and simulation
///                                                 E_mm = Σ_j se(S_mj)² (δ_j² + P_jj): the error of S in the step
///                                                 R_jj = Σ_m se(S_mj)² (Br)_m²: its error in the gradient SᵀBr
///
/// H N Hᵀ is widened by what an estimated N costs; δ is the last step. Where the answer does not include it, δδᵀ is
/// added.
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

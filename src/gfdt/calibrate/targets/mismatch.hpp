#pragma once

#include <limits>
#include <vector>

#include "gfdt/calibrate/evaluation/evaluation.hpp"
#include "gfdt/calibrate/targets/targets.hpp"

namespace gfdt::calibrate {

/// r = G − A: the difference between statistics and targets, absolute and relative to the noise.
struct Mismatch {
  std::vector<double> residual;    ///< G − A
  std::vector<double> deviations;  ///< residuals in standard deviations of the noise
  std::vector<double> noise;       ///< N, the covariance of targets and simulation together, [row][column]
  double norm = 0;                 ///< ‖r‖, unweighted
  double chi_square = 0;           ///< rᵀ N⁻¹ r
  std::vector<double> parts;       ///< contributions to χ², one per target: r_m (N⁻¹ r)_m
  double degrees_of_freedom = std::numeric_limits<double>::infinity();  ///< of N
  double tail = 0;  ///< p-value: from χ² if N is known, from T² if it was estimated (freedom.hpp)
};

/// Throws Error if the sizes differ or if the joint covariance is not finite and positive semi-definite.
Mismatch mismatch(const Evaluation& evaluation, const Targets& targets);

}  // namespace gfdt::calibrate

#pragma once

#include <vector>

#include "gfdt/calibrate/evaluation.hpp"
#include "gfdt/calibrate/targets.hpp"

namespace gfdt::calibrate {

/// r = G − A: how far the statistics are from the targets, and how far that is in terms of noise.
struct Mismatch {
  std::vector<double> residual;    ///< G − A
  std::vector<double> deviations;  ///< the same in standard deviations of what it is uncertain by
  std::vector<double> noise;       ///< N, the covariance of targets and simulation together, [row][column]
  double norm = 0;                 ///< ‖r‖, unweighted
  double chi_square = 0;           ///< rᵀ N⁻¹ r
  double tail = 0;                 ///< P(χ² > chi_square) with as many degrees of freedom as there are targets
};

Mismatch mismatch(const Evaluation& evaluation, const Targets& targets);

}  // namespace gfdt::calibrate

#pragma once

#include <limits>
#include <vector>

#include "gfdt/calibrate/evaluation/evaluation.hpp"
#include "gfdt/calibrate/targets/targets.hpp"

namespace gfdt::calibrate {

/// r = G − A: how far the statistics are from the targets, and how far that is in terms of noise.
struct Mismatch {
  std::vector<double> residual;    ///< G − A
  std::vector<double> deviations;  ///< the same in standard deviations of what it is uncertain by
  std::vector<double> noise;       ///< N, the covariance of targets and simulation together, [row][column]
  double norm = 0;                 ///< ‖r‖, unweighted
  double chi_square = 0;           ///< rᵀ N⁻¹ r
  std::vector<double> parts;       ///< of χ², a target each: r_m (N⁻¹ r)_m
  double degrees_of_freedom = std::numeric_limits<double>::infinity();  ///< of N
  double tail = 0;  ///< how rarely noise makes as much: χ² where N is known, T² where it was estimated (freedom.hpp)
};

Mismatch mismatch(const Evaluation& evaluation, const Targets& targets);

}  // namespace gfdt::calibrate

#pragma once

#include <vector>

namespace gfdt::score {

struct LyapunovSolution {
  double abscissa = 0;             ///< the largest real part of the eigenvalues of A; NaN if they could not be computed
  std::vector<double> covariance;  ///< C, [row][column]; empty unless A is stable, abscissa < 0
};

/// Solves A C + C Aᵀ + D = 0, for matrices [row][column], by the method of Bartels and Stewart (1972) with the complex
/// Schur form, in O(d³).
LyapunovSolution solve_lyapunov(const std::vector<double>& a, const std::vector<double>& diffusion, int dimension);

}  // namespace gfdt::score

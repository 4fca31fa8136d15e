#pragma once

#include <vector>

namespace gfdt::score {

struct LyapunovSolution {
  double abscissa = 0;             ///< the largest real part among the eigenvalues of A; NaN where they are not found
  std::vector<double> covariance;  ///< C, [row][column]; empty unless A is stable, abscissa < 0
};

/// A C + C Aᵀ + D = 0, for matrices [row][column]. By Bartels and Stewart (1972) on the complex Schur form, in O(d³).
LyapunovSolution solve_lyapunov(const std::vector<double>& a, const std::vector<double>& diffusion, int dimension);

}  // namespace gfdt::score

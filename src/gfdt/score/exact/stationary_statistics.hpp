#pragma once

#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::score {

/// The stationary statistics of a model with one scalar state, by quadrature.
struct StationaryStatistics {
  std::vector<double> mean;                ///< <A>, one per observable
  std::vector<double> standard_deviation;  ///< of A itself, one per observable
};

/// Formulas may have jumps or kinks: the quadrature is split there. Throws Error for the same models as
/// StationaryDensity.
StationaryStatistics stationary_statistics(const symbolic::Model& model);

/// S = ∂<A>/∂θ, [observable][parameter]: central differences of <A> with steps h, h/2 and h/4, extrapolated to h = 0
/// (two Richardson steps, with an error of order h⁶). Accurate to about 9 digits, relative to the largest entry of a
/// column.
std::vector<double> stationary_jacobian(const symbolic::Model& model);

}  // namespace gfdt::score

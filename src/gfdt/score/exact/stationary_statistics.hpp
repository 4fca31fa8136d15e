#pragma once

#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::score {

/// The long-run statistics of a model with one scalar state, by quadrature.
struct StationaryStatistics {
  std::vector<double> mean;                ///< <A>, one an observable
  std::vector<double> standard_deviation;  ///< of A itself
};

/// Formulas may jump or have kinks: the quadrature is split where they do. Throws Error where StationaryDensity does.
StationaryStatistics stationary_statistics(const symbolic::Model& model);

/// S = ∂<A>/∂θ, [observable][parameter]: central differences of <A> at steps h, h/2 and h/4, extrapolated to h = 0 (two
/// of Richardson's steps, off by a term in h⁶). About 9 digits, relative to the largest entry of a column.
std::vector<double> stationary_jacobian(const symbolic::Model& model);

}  // namespace gfdt::score

#pragma once

#include <span>
#include <vector>

#include "gfdt/control_variate/fit/ridge_fit.hpp"

namespace gfdt::control_variate {

/// The relative change w of the stationary density ρ per unit of a parameter, ∂ρ/∂θ = w ρ, as far as a set of functions
/// resolves it.
///
/// Differentiating <L φ> = 0 gives <w L φ> = −<P φ>. Hence the projection of w onto the span of all L φ is known:
///
///     ‖Πw‖² = cᵀ G⁻¹ c,      c = <P φ>,   G = Cov(L φ)
///
/// The remainder of a leading term is <w r> with r = A + L u − <A>, and the regression makes r orthogonal to that span:
///
///     |remainder| ≤ sd(r) ‖w − Πw‖
struct DensityChange {
  double norm = 0;  ///< ‖Πw‖ with all functions
  double changed = 0;  ///< estimates ‖w − Πw‖: root of the larger change of ‖Πw‖² by the last two sets of functions
};

/// One entry per parameter. `sizes`: the sizes of nested sets of functions, each of which consists of the first ones.
/// `means`: <P φ>, [function][parameter], on two independent parts of the samples, so that their noise does not bias
/// cᵀG⁻¹c.
std::vector<DensityChange> density_changes(const FunctionMoments& functions, std::span<const std::size_t> sizes,
                                           const Eigen::MatrixXd (&means)[2]);

}  // namespace gfdt::control_variate

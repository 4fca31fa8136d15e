#pragma once

#include "gfdt/jacobian/selection/controlled_jacobian.hpp"

namespace gfdt::jacobian {

/// Leading terms and, by the method of the problem, what they leave:
///   ∂<A>/∂θ = <J·∇u + ½M:∇∇u> + ∫<(A + L u)(t) g(0)>dt,
/// an identity for every u. Columns that the method does not give stay those of the leading term. Rows whose A + L u
/// varies far more in the run of the remainder than predicted are estimated without u, and their plain averages are
/// restored. There are no step responses.
GfdtJacobian with_remainder(const GfdtProblem& problem, ControlledJacobian leading, const simulate::Control& control);

}  // namespace gfdt::jacobian

#pragma once

#include "gfdt/jacobian/selection/controlled_jacobian.hpp"

namespace gfdt::jacobian {

/// The leading terms plus the remainder, estimated by the method of the problem:
///   ∂<A>/∂θ = <J·∇u + ½M:∇∇u> + ∫<(A + L u)(t) g(0)>dt,
/// which is an identity for every u. Columns that the method cannot estimate keep the leading term only. Rows whose A +
/// L u varies much more than predicted in the run of the remainder are estimated without u, and their plain averages
/// are restored. Step responses are not available.
GfdtJacobian with_remainder(const GfdtProblem& problem, ControlledJacobian leading, const simulate::Control& control);

}  // namespace gfdt::jacobian

#pragma once

#include "gfdt/control_variate/controlled_statistics.hpp"
#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"

namespace gfdt::jacobian {

/// A Jacobian of leading terms, and the run behind it.
struct ControlledJacobian {
  GfdtJacobian result;
  control_variate::ControlledStatistics run;
};

/// Estimates the Jacobian from one run without a score: with u that approximately solves Poisson's equation L u = <A> −
/// A,
///   ∂<A>/∂θ ≈ <J·∇u + ½M:∇∇u>.
/// The standard errors include an estimate of the neglected remainder ∫<(A + L u)(t) g(0)>dt. Columns are missing if no
/// control variate is available; `run.without` gives the reason.
ControlledJacobian controlled_jacobian(const GfdtProblem& problem, const simulate::Control& control = {});

}  // namespace gfdt::jacobian

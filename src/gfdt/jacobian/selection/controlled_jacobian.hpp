#pragma once

#include "gfdt/control_variate/controlled_statistics.hpp"
#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"

namespace gfdt::jacobian {

/// A Jacobian of leading terms, and the run behind it.
struct ControlledJacobian {
  GfdtJacobian result;
  control_variate::ControlledStatistics run;
};

/// From one run and no score: with u that nearly solves Poisson's equation L u = <A> − A,
///   ∂<A>/∂θ ≈ <J·∇u + ½M:∇∇u>.
/// The standard errors hold an estimate of the remainder ∫<(A + L u)(t) g(0)>dt that is left out. Columns are missing
/// where no control variate can be made; `run.without` says why.
ControlledJacobian controlled_jacobian(const GfdtProblem& problem, const simulate::Control& control = {});

}  // namespace gfdt::jacobian

#pragma once

#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"

namespace gfdt::jacobian {

/// The Jacobian by the method of the problem's response options; with `control_variate` on, the methods that correlate
/// are left with the remainder. Throws Error where the samples are not those of the model's own runs and the method
/// needs such.
GfdtJacobian estimate(const GfdtProblem& problem, const simulate::Control& control = {});

}  // namespace gfdt::jacobian

#pragma once

#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"

namespace gfdt::jacobian {

/// The Jacobian by the method of the problem's response options. With `control_variate`, the correlation methods
/// estimate only the remainder. Throws Error if the method requires simulations of the model but the samples come from
/// another source.
GfdtJacobian estimate(const GfdtProblem& problem, const simulate::Control& control = {});

}  // namespace gfdt::jacobian

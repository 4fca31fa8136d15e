#pragma once

#include <string>
#include <vector>

#include "gfdt/jacobian/jacobian.hpp"
#include "gfdt/jacobian/options.hpp"
#include "gfdt/simulate/ensemble.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::jacobian {

/// Central differences S = (<A>(θ+h) − <A>(θ−h))/2h of perturbed runs, one column for each of `parameters`. Members
/// have the same random numbers in all runs. Standard errors combine the spread of the members' differences and the
/// bias c h² of the step, which pilot runs estimate. A given step has no pilot runs, and its bias is not included in
/// the standard errors.
///
/// The step of a parameter is options.steps[name], else options.relative_step · max(|θ|, 1), else a step chosen by
/// pilot runs (step_choice.hpp). The step is reduced to stay within the bounds of the parameter, and halved if
/// perturbed runs blow up. For a parameter on a bound the difference is one-sided, also of second order. The column's
/// remark reports these cases. `wanted` is called before the perturbed runs and may be empty. Throws Error if the
/// options are invalid or a parameter is unknown.
Jacobian finite_difference_jacobian(const symbolic::Model& model, const simulate::Options& simulation,
                                    const Options& options, const std::vector<std::string>& parameters,
                                    const simulate::Control& control = {}, const Wanted& wanted = {});

}  // namespace gfdt::jacobian

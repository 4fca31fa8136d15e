#pragma once

#include <string>
#include <vector>

#include "gfdt/jacobian/jacobian.hpp"
#include "gfdt/jacobian/options.hpp"
#include "gfdt/simulate/ensemble.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::jacobian {

/// Central differences S = (<A>(θ+h) − <A>(θ−h))/2h of perturbed runs, one column for each of `parameters`. Members
/// have the same random numbers in all runs; standard errors come from the spread of the members' differences, and
/// from what short runs tell of the bias of a step, c h². A step that is given has no short runs: its bias is in no
/// error.
///
/// The step of a parameter is options.steps[name]; else options.relative_step · max(|θ|, 1); else it is chosen by
/// short runs (step_choice.hpp). It is shortened where it would leave the bounds of the parameter and halved where
/// perturbed runs blow up; of a parameter on a bound the difference is to one side, of second order too. The column's
/// remark says so. `wanted` is asked before the perturbed runs are made; it may be empty. Throws Error when the options
/// make no sense or a parameter is unknown.
Jacobian finite_difference_jacobian(const symbolic::Model& model, const simulate::Options& simulation,
                                    const Options& options, const std::vector<std::string>& parameters,
                                    const simulate::Control& control = {}, const Wanted& wanted = {});

}  // namespace gfdt::jacobian

#pragma once

#include "gfdt/calibrate/search/linear_model.hpp"

namespace gfdt::calibrate {

/// What the linear model at parameters `at` says of the answer; `left`: the step from there, in η, that the answer
/// includes if `taken`, and else is off by, which then is part of its error. The error of a parameter that nothing
/// determines is infinite.
Posterior posterior_of(const Problem& problem, const std::vector<double>& at, const LinearModel& model,
                       const Eigen::VectorXd& left, bool taken);

}  // namespace gfdt::calibrate

#pragma once

#include "gfdt/calibrate/search/linear_model.hpp"

namespace gfdt::calibrate {

/// The posterior from the linear model at parameters `at`. `left` is the remaining step from there, in η. If `taken`,
/// the answer includes this step; otherwise the step is part of the error of the answer. The standard error of an
/// undetermined parameter is infinite.
Posterior posterior_of(const Problem& problem, const std::vector<double>& at, const LinearModel& model,
                       const Eigen::VectorXd& left, bool taken);

}  // namespace gfdt::calibrate

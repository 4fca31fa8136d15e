#pragma once

#include <Eigen/Core>

#include "gfdt/calibrate/evaluation.hpp"
#include "gfdt/calibrate/mismatch.hpp"
#include "gfdt/calibrate/options.hpp"

namespace gfdt::calibrate {

/// B, what mismatches are weighed by:
///
///     noise        N⁻¹,  N = the covariance of targets and simulation
///     covariance   (Cov[A] + ridge·I)⁻¹
///     variance     diag(1/var A_1, …, 1/var A_q)
///     none         I
Eigen::MatrixXd weight_matrix(const Evaluation& evaluation, const Mismatch& mismatch, const Options& options);

}  // namespace gfdt::calibrate

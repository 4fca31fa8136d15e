#pragma once

#include <Eigen/Core>

#include "gfdt/calibrate/evaluation/evaluation.hpp"
#include "gfdt/calibrate/options.hpp"
#include "gfdt/calibrate/targets/mismatch.hpp"

namespace gfdt::calibrate {

/// B, the weights of the mismatches:
///
///     noise        N⁻¹,  N = the covariance of targets and simulation (see noise_weights)
///     covariance   (Cov[A] + ridge·I)⁻¹
///     variance     diag(1/var A_1, …, 1/var A_q)
///     none         I
Eigen::MatrixXd weight_matrix(const Evaluation& evaluation, const Mismatch& mismatch, const Options& options);

/// Whether the correlations in a covariance matrix of this size are known well enough to be used in weights.
bool correlations_known(Eigen::Index size, double degrees_of_freedom);

/// N⁻¹ if the correlations in N are known well enough; otherwise the inverse of its diagonal.
Eigen::MatrixXd noise_weights(const Eigen::MatrixXd& noise, double degrees_of_freedom);

}  // namespace gfdt::calibrate

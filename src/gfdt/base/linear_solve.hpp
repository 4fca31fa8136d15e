#pragma once

#include <Eigen/Core>

namespace gfdt {

// Eigen's factorizations are instantiated here once: they take seconds of every compilation that names them.

/// x of A x = b, A⁻¹: by LU with partial pivoting. A singular matrix gives numbers that are not finite.
Eigen::VectorXd linear_solution(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);
Eigen::MatrixXd inverse(const Eigen::MatrixXd& a);

/// A⁻¹ of a symmetric positive definite matrix, by Cholesky; only its lower half is read.
Eigen::MatrixXd positive_definite_inverse(const Eigen::MatrixXd& a);

}  // namespace gfdt

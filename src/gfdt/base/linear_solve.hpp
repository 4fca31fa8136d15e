#pragma once

#include <Eigen/Core>

namespace gfdt {

// Eigen's factorizations are instantiated here once, because each instantiation takes seconds to compile.

/// Solution x of A x = b, and A⁻¹, by LU factorization with partial pivoting. The result of a singular matrix is not
/// finite.
Eigen::VectorXd linear_solution(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);
Eigen::MatrixXd inverse(const Eigen::MatrixXd& a);

/// A⁻¹ of a symmetric positive definite matrix, by Cholesky factorization; only the lower triangle is read.
Eigen::MatrixXd positive_definite_inverse(const Eigen::MatrixXd& a);

}  // namespace gfdt

#pragma once

#include <Eigen/Core>

namespace gfdt {

/// Eigendecomposition A = V diag(λ) Vᵀ with the eigenvalues in ascending order.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;  ///< one eigenvector per column
};

/// Eigendecomposition of a symmetric matrix; only the lower triangle is read. Eigen's solver is instantiated here once,
/// because each instantiation takes seconds to compile.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& matrix);

}  // namespace gfdt

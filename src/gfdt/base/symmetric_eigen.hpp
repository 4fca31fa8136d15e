#pragma once

#include <Eigen/Core>

namespace gfdt {

/// A = V diag(λ) Vᵀ, eigenvalues in ascending order.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;  ///< a column each
};

/// Of a symmetric matrix; only its lower half is read. Eigen's solver is instantiated here once: it takes seconds of
/// every compilation that names it.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& matrix);

}  // namespace gfdt

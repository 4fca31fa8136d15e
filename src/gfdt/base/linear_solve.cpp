#include "gfdt/base/linear_solve.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace gfdt {

Eigen::VectorXd linear_solution(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
  return a.partialPivLu().solve(b);
}

Eigen::MatrixXd inverse(const Eigen::MatrixXd& a) { return a.partialPivLu().inverse(); }

Eigen::MatrixXd positive_definite_inverse(const Eigen::MatrixXd& a) {
  return a.llt().solve(Eigen::MatrixXd::Identity(a.rows(), a.cols()));
}

}  // namespace gfdt

#include "gfdt/exact/lyapunov.hpp"

#include <Eigen/Dense>
#include <complex>
#include <limits>

namespace gfdt::exact {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

// With A = U T U*, T upper triangular, and Y = U* C U: T Y + Y T* = −U* D U. Column k of Y T* holds the columns j ≥ k
// of Y, so the columns follow from the last to the first:
//   (T + conj(T_kk) I) y_k = −(U* D U)_k − Σ_{j>k} conj(T_kj) y_j
LyapunovSolution solve_lyapunov(const std::vector<double>& a, const std::vector<double>& diffusion, int dimension) {
  const Eigen::Index n = dimension;
  const Eigen::ComplexSchur<Eigen::MatrixXd> schur(Eigen::Map<const RowMatrix>(a.data(), n, n));
  const Eigen::MatrixXcd& t = schur.matrixT();
  const Eigen::MatrixXcd& u = schur.matrixU();
  LyapunovSolution result{t.diagonal().real().maxCoeff(), {}};
  if (schur.info() != Eigen::Success) result.abscissa = std::numeric_limits<double>::quiet_NaN();
  if (!(result.abscissa < 0)) return result;
  const Eigen::MatrixXcd source = u.adjoint() * Eigen::Map<const RowMatrix>(diffusion.data(), n, n) * u;
  Eigen::MatrixXcd y(n, n), shifted = t;
  for (Eigen::Index k = n - 1; k >= 0; --k) {
    Eigen::VectorXcd right = -source.col(k);
    const Eigen::Index after = n - 1 - k;
    right.noalias() -= y.rightCols(after) * t.row(k).tail(after).adjoint();
    shifted.diagonal() = t.diagonal().array() + std::conj(t(k, k));
    y.col(k) = shifted.triangularView<Eigen::Upper>().solve(right);
  }
  const Eigen::MatrixXd c = (u * y * u.adjoint()).real();
  result.covariance.resize(a.size());
  Eigen::Map<RowMatrix>(result.covariance.data(), n, n) = 0.5 * (c + c.transpose());
  return result;
}

}  // namespace gfdt::exact

#include "gfdt/score/exact/lyapunov.hpp"

#include <Eigen/Eigenvalues>
#include <complex>
#include <limits>

namespace gfdt::score {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;

/// A B by explicit sums. Eigen's templates for products and solvers of complex matrices dominate the compile time, and
/// this product is cheaper than the Schur decomposition.
MatrixXcd product(const MatrixXcd& a, const MatrixXcd& b) {
  MatrixXcd result = MatrixXcd::Zero(a.rows(), b.cols());
  for (Index j = 0; j < b.cols(); ++j)
    for (Index k = 0; k < a.cols(); ++k)
      for (Index i = 0; i < a.rows(); ++i) result(i, j) += a(i, k) * b(k, j);
  return result;
}

// Solves T Y + Y T* = −Q for an upper triangular T. Column k of Y T* involves the columns j ≥ k of Y, so the columns
// are computed from the last to the first:
//   (T + conj(T_kk) I) y_k = −q_k − Σ_{j>k} conj(T_kj) y_j
MatrixXcd triangular_solution(const MatrixXcd& t, const MatrixXcd& q) {
  const Index n = t.rows();
  MatrixXcd y = -q;
  for (Index k = n - 1; k >= 0; --k) {
    for (Index j = k + 1; j < n; ++j)
      for (Index i = 0; i < n; ++i) y(i, k) -= y(i, j) * std::conj(t(k, j));
    for (Index i = n - 1; i >= 0; --i) {
      y(i, k) /= t(i, i) + std::conj(t(k, k));
      for (Index j = 0; j < i; ++j) y(j, k) -= t(j, i) * y(i, k);
    }
  }
  return y;
}

}  // namespace

// With A = U T U*, T upper triangular, and Y = U* C U: T Y + Y T* = −U* D U.
LyapunovSolution solve_lyapunov(const std::vector<double>& a, const std::vector<double>& diffusion, int dimension) {
  const Index n = dimension;
  const auto at = [n](Index row, Index column) { return static_cast<std::size_t>(row * n + column); };
  Eigen::MatrixXd matrix(n, n);
  MatrixXcd source(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      matrix(i, j) = a[at(i, j)];
      source(i, j) = diffusion[at(i, j)];
    }
  const Eigen::ComplexSchur<Eigen::MatrixXd> schur(matrix);
  const MatrixXcd& t = schur.matrixT();
  const MatrixXcd& u = schur.matrixU();
  const MatrixXcd adjoint = u.adjoint();
  LyapunovSolution result{t.diagonal().real().maxCoeff(), {}};
  if (schur.info() != Eigen::Success) result.abscissa = std::numeric_limits<double>::quiet_NaN();
  if (!(result.abscissa < 0)) return result;
  const MatrixXcd c = product(product(u, triangular_solution(t, product(product(adjoint, source), u))), adjoint);
  result.covariance.resize(a.size());
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) result.covariance[at(i, j)] = 0.5 * (c(i, j).real() + c(j, i).real());
  return result;
}

}  // namespace gfdt::score

#include "gfdt/control_variate/density_change.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace gfdt::control_variate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Added to the diagonal of the correlation matrix of the functions, because they are nearly linearly dependent.
constexpr double regularisation = 1e-8;

}  // namespace

std::vector<DensityChange> density_changes(const FunctionMoments& functions, std::span<const std::size_t> sizes,
                                           const MatrixXd (&means)[2]) {
  const VectorXd mean = functions.sum / functions.count;
  const MatrixXd covariance = functions.products / functions.count - mean * mean.transpose();
  const VectorXd scale = covariance.diagonal().unaryExpr([](double v) { return v > 0 ? 1 / std::sqrt(v) : 0.0; });
  MatrixXd correlation = scale.asDiagonal() * covariance * scale.asDiagonal();
  correlation.diagonal().array() += regularisation;
  const Index parameters = means[0].cols();
  std::vector<DensityChange> result(static_cast<std::size_t>(parameters));
  VectorXd before = VectorXd::Zero(parameters), changed = before;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const auto size = static_cast<Index>(sizes[s]);
    const auto scaled = [&](const MatrixXd& of) -> MatrixXd {
      return scale.head(size).asDiagonal() * of.topRows(size);
    };
    const Eigen::LDLT<MatrixXd> factors(correlation.topLeftCorner(size, size));
    const VectorXd square = scaled(means[0]).cwiseProduct(factors.solve(scaled(means[1]))).colwise().sum();
    const VectorXd change = (square - before).cwiseAbs();
    for (Index j = 0; j < parameters; ++j) {
      DensityChange& of = result[static_cast<std::size_t>(j)];
      of.norm = std::sqrt(std::max(0.0, square(j)));
      of.changed = std::sqrt(s > 1 ? std::max(change(j), changed(j)) : change(j));
    }
    changed = change;
    before = square;
  }
  return result;
}

}  // namespace gfdt::control_variate

#include "gfdt/calibrate/ensemble_kalman/kalman_update.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "gfdt/base/symmetric_eigen.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// One column per member.
MatrixXd columns(const Members& members) {
  MatrixXd matrix(static_cast<Index>(members.front().size()), static_cast<Index>(members.size()));
  for (std::size_t i = 0; i < members.size(); ++i)
    matrix.col(static_cast<Index>(i)) = Eigen::Map<const VectorXd>(members[i].data(), matrix.rows());
  return matrix;
}

MatrixXd centered(const MatrixXd& matrix) { return matrix.colwise() - matrix.rowwise().mean(); }

/// A square root of a covariance matrix that may be singular to rounding.
MatrixXd root(const MatrixXd& covariance) {
  const SymmetricEigen eigen = symmetric_eigen(covariance);
  return eigen.vectors * eigen.values.cwiseMax(0).cwiseSqrt().asDiagonal();
}

}  // namespace

Members kalman_update(const Members& coordinates, const Members& outputs, const std::vector<double>& observed,
                      const std::vector<double>& perturbation, const codegen::Stream& normals) {
  const MatrixXd eta = columns(coordinates), g = columns(outputs);
  const Index q = g.rows(), size = g.cols();
  const auto unbiased = static_cast<double>(size - 1);
  // Outputs are scaled by the standard deviations of the perturbations, so that their magnitudes do not matter.
  const Eigen::Map<const MatrixXd> covariance(perturbation.data(), q, q);
  const VectorXd unit = covariance.diagonal().cwiseSqrt(), scale = unit.cwiseInverse();
  const MatrixXd noise = scale.asDiagonal() * covariance * scale.asDiagonal();
  const MatrixXd deviations = scale.asDiagonal() * centered(g);

  MatrixXd standard(q, size);
  for (Index i = 0; i < size; ++i)
    for (Index m = 0; m < q; ++m) standard(m, i) = normals.normal(static_cast<std::uint64_t>(i * q + m));
  const Eigen::Map<const VectorXd> y(observed.data(), q);
  const MatrixXd innovation = scale.asDiagonal() * ((-g).colwise() + y) + root(noise) * centered(standard);

  const MatrixXd total = deviations * deviations.transpose() / unbiased + noise;
  const MatrixXd cross = centered(eta) * deviations.transpose() / unbiased;
  const MatrixXd updated = eta + cross * total.ldlt().solve(innovation);

  Members result(coordinates.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const VectorXd column = updated.col(static_cast<Index>(i));
    result[i].assign(column.begin(), column.end());
  }
  return result;
}

std::vector<double> mean_of(const Members& members) {
  const VectorXd mean = columns(members).rowwise().mean();
  return {mean.begin(), mean.end()};
}

std::vector<double> covariance_of(const Members& members) {
  const MatrixXd deviations = centered(columns(members));
  const MatrixXd covariance = deviations * deviations.transpose() / static_cast<double>(deviations.cols() - 1);
  return {covariance.data(), covariance.data() + covariance.size()};
}

std::vector<double> draw_like(const Members& members, const codegen::Stream& normals, std::uint64_t position) {
  const MatrixXd all = columns(members);
  VectorXd standard(all.cols());
  for (double& value : standard) value = normals.normal(position++);
  const VectorXd draw =
      all.rowwise().mean() + centered(all) * standard / std::sqrt(static_cast<double>(all.cols() - 1));
  return {draw.begin(), draw.end()};
}

}  // namespace gfdt::calibrate

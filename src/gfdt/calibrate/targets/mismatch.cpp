#include "gfdt/calibrate/targets/mismatch.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/base/symmetric_eigen.hpp"
#include "gfdt/calibrate/search/freedom.hpp"

namespace gfdt::calibrate {
namespace {

/// Eigenvalues of a correlation matrix below this share of the largest one are rounding errors.
constexpr double rounding = 1e-12;

}  // namespace

Mismatch mismatch(const Evaluation& evaluation, const Targets& targets) {
  const std::size_t size = targets.size();
  if (evaluation.statistics.size() != size || evaluation.mean_covariance.size() != size * size ||
      targets.covariance.size() != size * size)
    throw Error(fmt::format(
        "{} targets with a covariance of {} numbers were to be compared with {} statistics with a covariance of {}.",
        size, targets.covariance.size(), evaluation.statistics.size(), evaluation.mean_covariance.size()));

  Mismatch result;
  result.noise.resize(size * size);
  for (std::size_t i = 0; i < size * size; ++i) result.noise[i] = targets.covariance[i] + evaluation.mean_covariance[i];
  Eigen::VectorXd deviations(static_cast<Eigen::Index>(size)), scale(static_cast<Eigen::Index>(size));
  double squares = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double residual = evaluation.statistics[i].mean - targets.value[i];
    const double deviation = std::sqrt(result.noise[i * size + i]);
    result.residual.push_back(residual);
    result.deviations.push_back(residual / deviation);
    squares += residual * residual;
    scale(static_cast<Eigen::Index>(i)) = 1 / deviation;
    deviations(static_cast<Eigen::Index>(i)) = residual / deviation;
  }
  result.norm = std::sqrt(squares);

  // The matrix is scaled by the deviations, so that different magnitudes do not spoil the factorization.
  const Eigen::Map<const Eigen::MatrixXd> noise(result.noise.data(), deviations.size(), deviations.size());
  if (!noise.allFinite()) throw Error("The covariance of targets and simulation holds a number that is not finite.");
  const SymmetricEigen eigen = symmetric_eigen(scale.asDiagonal() * noise * scale.asDiagonal());
  const double largest = eigen.values.maxCoeff();
  if (eigen.values.minCoeff() < -rounding * largest)
    throw Error(fmt::format(
        "The covariance of targets and simulation together is not positive semi-definite: the smallest eigenvalue of "
        "its correlations is {:.2g}. Check the covariance of the targets.",
        eigen.values.minCoeff()));
  const Eigen::VectorXd along = eigen.vectors.transpose() * deviations;
  const Eigen::VectorXd weighed = along.cwiseQuotient(eigen.values.cwiseMax(rounding * largest));
  result.chi_square = along.dot(weighed);
  const Eigen::VectorXd parts = deviations.cwiseProduct(eigen.vectors * weighed);
  result.parts.assign(parts.begin(), parts.end());
  const Eigen::Map<const Eigen::MatrixXd> simulated(evaluation.mean_covariance.data(), noise.rows(), noise.cols());
  result.degrees_of_freedom = combined_freedom(simulated.diagonal(), simulation_freedom(evaluation), noise.diagonal(),
                                               targets.degrees_of_freedom);
  result.tail = noise_tail(result.chi_square, static_cast<int>(size), result.degrees_of_freedom, deviations);
  return result;
}

}  // namespace gfdt::calibrate

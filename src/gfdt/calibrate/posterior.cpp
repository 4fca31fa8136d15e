#include "gfdt/calibrate/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/calibrate/identifiability.hpp"
#include "gfdt/calibrate/posterior_of.hpp"
#include "gfdt/calibrate/step.hpp"
#include "gfdt/statistics/distribution.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Parameters that a direction without information has a part in; eigenvalues are of the matrix scaled to a unit
/// diagonal.
std::vector<bool> undetermined(const MatrixXd& information) {
  const MatrixXd projection = information * pseudo_inverse(information);  // the identity where all is determined
  std::vector<bool> result;
  constexpr double slack = 1e-6;
  for (Index j = 0; j < information.rows(); ++j) result.push_back(std::abs(projection(j, j) - 1) > slack);
  return result;
}

/// Satterthwaite: of a sum of two variances, of which one makes up `share`.
double combined(double share, double of_share, double of_rest) {
  return 1 / (share * share / of_share + (1 - share) * (1 - share) / of_rest);
}

}  // namespace

bool Posterior::holds(const std::vector<double>& point, const std::vector<double>& center, double confidence) const {
  const VectorXd difference = vector_of(point) - vector_of(center);
  const double square = difference.dot(matrix_of(precision, point.size()) * difference);
  return square <= statistics::hotelling_interval(confidence, static_cast<int>(point.size()), degrees_of_freedom);
}

Posterior posterior_of(const Problem& problem, const std::vector<double>& at, const LinearModel& model,
                       const VectorXd& left, bool taken, double simulation_freedom) {
  const MatrixXd information = model.information(), inverse = pseudo_inverse(information);
  const MatrixXd weighted = model.jacobian.transpose() * model.weights;  // SᵀB
  MatrixXd spread = weighted * model.noise * weighted.transpose();       // M of P = A⁻¹MA⁻¹
  spread.diagonal() += model.prior_precision;
  const VectorXd displacement = left.cwiseAbs2() + (inverse * spread * inverse).diagonal();
  const VectorXd of_jacobian = model.jacobian_error.cwiseAbs2() * displacement;
  spread += weighted * of_jacobian.asDiagonal() * weighted.transpose();
  if (!taken) spread += (information * left) * (information * left).transpose();
  const MatrixXd to_natural = model.slope.asDiagonal() * inverse,
                 from_natural = information * model.slope.cwiseInverse().asDiagonal();
  MatrixXd covariance = to_natural * spread * to_natural.transpose();
  const MatrixXd simulated =
      to_natural * weighted * model.simulation_noise * weighted.transpose() * to_natural.transpose();

  Posterior result;
  const std::vector<bool> unknown = undetermined(information);
  result.precision = values_of(from_natural.transpose() * pseudo_inverse(spread) * from_natural);
  const VectorXd variances = covariance.diagonal().cwiseMax(std::numeric_limits<double>::min());
  const double share = std::clamp(simulated.diagonal().cwiseQuotient(variances).mean(), 0.0, 1.0);
  result.degrees_of_freedom = combined(share, simulation_freedom, problem.targets.degrees_of_freedom);
  const Index size = covariance.rows();
  for (Index j = 0; j < size; ++j) {
    if (unknown[static_cast<std::size_t>(j)]) covariance(j, j) = std::numeric_limits<double>::infinity();
    result.standard_error.push_back(std::sqrt(covariance(j, j)));
  }
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j < size; ++j) {
      const double scale = std::sqrt(covariance(i, i) * covariance(j, j));
      result.correlation.push_back(i == j ? 1.0 : scale > 0 ? covariance(i, j) / scale : 0.0);
    }
  result.covariance = values_of(covariance);
  Identifiability found = identifiability(problem, at, model);
  result.singular_values = std::move(found.singular_values);
  result.weak = std::move(found.weak);
  return result;
}

}  // namespace gfdt::calibrate

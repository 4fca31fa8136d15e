#include "gfdt/calibrate/posterior/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/calibrate/posterior/identifiability.hpp"
#include "gfdt/calibrate/posterior/posterior_of.hpp"
#include "gfdt/calibrate/search/directions.hpp"
#include "gfdt/calibrate/search/freedom.hpp"
#include "gfdt/calibrate/targets/weights.hpp"
#include "gfdt/statistics/distribution.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The information matrix and its inverse, restricted to informative directions.
struct Informative {
  MatrixXd information, inverse;
  std::vector<bool> unknown;  ///< parameters that change along other directions
};

Informative informative_part(const LinearModel& model) {
  Informative result;
  if (model.parameters() > most_factorised) {
    constexpr double slack = 1e-6;
    result.information = model.information();
    result.inverse = pseudo_inverse(result.information);
    const MatrixXd projection = result.information * result.inverse;  // the identity if all parameters are determined
    for (Index j = 0; j < projection.rows(); ++j) result.unknown.push_back(std::abs(projection(j, j) - 1) > slack);
    return result;
  }
  const VectorXd scale = parameter_scale(model);
  const Index size = model.parameters();
  result.information = result.inverse = MatrixXd::Zero(size, size);
  result.unknown.assign(static_cast<std::size_t>(size), false);
  for (const Direction& direction : directions_of(model)) {
    const double curvature = direction.sensitivity * direction.sensitivity;
    if (direction.informative) {
      const VectorXd along = direction.change.cwiseQuotient(scale).cwiseQuotient(scale);
      result.information += curvature * along * along.transpose();
      result.inverse += direction.change * direction.change.transpose() / curvature;
    } else {
      for (Index j = 0; j < size; ++j)
        if (changes_along(direction, scale, j)) result.unknown[static_cast<std::size_t>(j)] = true;
    }
  }
  return result;
}

/// The effect of weights from an estimated covariance with ν degrees of freedom, for q targets, k of them more than the
/// parameters: the true covariance is `factor` times the apparent one, with `lost` fewer degrees of freedom.
///
///     all of N⁻¹         ν/(ν − k) (1 + Q/ν) and k, with the weighted residual square Q of the fit; exact
///                        (Rao, "Least squares theory using an estimated dispersion matrix", 1967)
///     its diagonal       about 1 + 4 k/(q ν) and none (Meier, "Variance of a weighted mean", 1953)
struct CostOfWeights {
  double factor = 1;
  double lost = 0;
};

CostOfWeights cost_of_weights(const LinearModel& model, const MatrixXd& inverse) {
  const double freedom = model.noise_freedom;
  const auto beyond = static_cast<double>(model.targets() - std::min(model.targets(), rank_of(model.information())));
  if (!model.weighted_by_noise || !std::isfinite(freedom) || beyond == 0) return {};
  if (!correlations_known(model.targets(), freedom))
    return {1 + 4 * beyond / (static_cast<double>(model.targets()) * freedom), 0};
  const VectorXd left = model.residual - model.jacobian * (inverse * model.gradient());
  const double square = left.dot(model.weights * left);
  return {freedom / std::max(1.0, freedom - beyond) * (1 + square / freedom), beyond};
}

}  // namespace

bool Posterior::holds(const std::vector<double>& point, const std::vector<double>& center, double confidence) const {
  const VectorXd difference = vector_of(point) - vector_of(center);
  const MatrixXd known = matrix_of(precision, point.size());
  const double square = difference.dot(known * difference);
  constexpr double negligible = 1e-10;
  const auto rank = static_cast<int>(rank_of(known, negligible));
  return rank == 0 || square <= statistics::hotelling_interval(confidence, rank, degrees_of_freedom);
}

Posterior posterior_of(const Problem& problem, const std::vector<double>& at, const LinearModel& model,
                       const VectorXd& left, bool taken) {
  const auto [information, inverse, unknown] = informative_part(model);
  const MatrixXd weighted = model.jacobian.transpose() * model.weights;  // SᵀB
  const CostOfWeights cost = cost_of_weights(model, inverse);
  MatrixXd spread = cost.factor * (weighted * model.noise * weighted.transpose());  // M of P = A⁻¹MA⁻¹
  spread.diagonal() += model.prior_precision;
  const VectorXd displacement = left.cwiseAbs2() + (inverse * spread * inverse).diagonal();
  const VectorXd of_jacobian = model.jacobian_error.cwiseAbs2() * displacement;
  spread += weighted * of_jacobian.asDiagonal() * weighted.transpose();
  const VectorXd weighted_residual = model.weights * (model.residual + model.jacobian * left);
  spread.diagonal() += model.jacobian_error.cwiseAbs2().transpose() * weighted_residual.cwiseAbs2();
  if (!taken) spread += (information * left) * (information * left).transpose();
  const MatrixXd to_natural = model.slope.asDiagonal() * inverse,
                 from_natural = information * model.slope.cwiseInverse().asDiagonal();
  MatrixXd covariance = to_natural * spread * to_natural.transpose();
  const MatrixXd simulated =
      cost.factor * to_natural * weighted * model.simulation_noise * weighted.transpose() * to_natural.transpose();

  Posterior result;
  result.precision = values_of(from_natural.transpose() * pseudo_inverse(spread) * from_natural);
  const double freedom = combined_freedom(simulated.diagonal(), model.simulation_freedom, covariance.diagonal(),
                                          problem.targets.degrees_of_freedom);
  result.degrees_of_freedom = std::max(1.0, freedom - cost.lost);
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

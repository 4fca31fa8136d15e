#include "gfdt/calibrate/search/directions.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "gfdt/base/symmetric_eigen.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A direction whose standard error is larger than this many units is undetermined ...
constexpr double largest_error = 2;
/// ... unless a step along it lowers 2Φ by at least this much: the square of three standard deviations of noise.
constexpr double significant_gain = 9;
/// A direction is resolved if its sensitivity exceeds that of noise alone by this factor: the smallest singular value
/// of a noise matrix is below the root mean square of its columns.
constexpr double resolved_ratio = 1.2, certain_ratio = 3;
/// Squared sensitivities below this share of those produced by errors of the Jacobian are indistinguishable from
/// errors.
constexpr double noise_share = 0.25;
/// Eigenvalues below this share of the largest one are rounding errors.
constexpr double rounding = 1e-14;
constexpr double largest_unit = 30;
/// In M, doubling a parameter counts as much as half a standard deviation of an observable.
constexpr double weight_of_parameters = 0.25;

Knowledge knowledge_of(const Direction& direction, double from_priors) {
  const double of_errors = direction.sensitivity_error, possible = direction.possible_reach();
  const bool resolved = direction.informative &&
                        (direction.sensitivity > resolved_ratio * of_errors || from_priors > of_errors * of_errors);
  if (!resolved) return possible > 1 ? Knowledge::unresolved : Knowledge::undetermined;
  if (direction.posterior_error <= largest_error) return Knowledge::determined;
  const double gain = std::pow(direction.gradient / direction.sensitivity, 2);
  const bool certain = direction.sensitivity > certain_ratio * of_errors;
  return certain && gain >= significant_gain ? Knowledge::determined : Knowledge::undetermined;
}

}  // namespace

double Direction::step() const {
  const double curvature = sensitivity * sensitivity + sensitivity_error * sensitivity_error;
  return curvature > 0 ? -gradient / curvature : 0;
}

double Direction::possible_reach() const { return largest_error * (sensitivity + 2 * sensitivity_error); }

double Direction::remaining() const {
  const double curvature = sensitivity * sensitivity;
  return curvature > 0 && posterior_error > 0 ? std::abs(gradient) / (curvature * posterior_error) : 0;
}

VectorXd parameter_sizes(const LinearModel& model) {
  const VectorXd norms = trust_scale(model);
  VectorXd sizes = model.magnitude;
  for (Index j = 0; j < sizes.size(); ++j) {
    if (!(sizes(j) > 0)) sizes(j) = norms(j) > 0 ? 1 / norms(j) : 1;
    if (model.bounded[static_cast<std::size_t>(j)]) sizes(j) = 1;
  }
  return sizes;
}

VectorXd parameter_scale(const LinearModel& model) {
  const VectorXd sizes = parameter_sizes(model), norms = trust_scale(model);
  VectorXd scale = sizes;
  for (Index j = 0; j < scale.size(); ++j)
    if (!model.bounded[static_cast<std::size_t>(j)] && norms(j) > 0)
      scale(j) = std::clamp(1 / norms(j), sizes(j), largest_unit * sizes(j));
  return scale;
}

bool changes_along(const Direction& direction, const VectorXd& scale, Index parameter) {
  constexpr double negligible_part = 0.03;
  return std::abs(direction.change(parameter)) > negligible_part * scale(parameter);
}

std::vector<Direction> directions_of(const LinearModel& model) {
  const VectorXd scale = parameter_scale(model);
  const MatrixXd information = scale.asDiagonal() * model.information() * scale.asDiagonal();
  const SymmetricEigen eigen = symmetric_eigen(information);
  const MatrixXd units = scale.asDiagonal() * eigen.vectors;
  const MatrixXd weighted = units.transpose() * model.jacobian.transpose() * model.weights;
  const VectorXd gradient = units.transpose() * model.gradient();
  const VectorXd of_noise = (weighted * model.noise * weighted.transpose()).diagonal();
  const VectorXd of_simulation = (weighted * model.simulation_noise * weighted.transpose()).diagonal();
  const MatrixXd squared = units.cwiseAbs2(), errors = model.jacobian_error.cwiseAbs2();
  const VectorXd of_priors = squared.transpose() * model.prior_precision;
  const VectorXd of_errors = squared.transpose() * (errors.transpose() * model.weights.diagonal());
  // The weighted residual at the minimum: an error of S gives it a component along the columns of S.
  const VectorXd left =
      model.weights * (model.residual - model.jacobian * (pseudo_inverse(model.information()) * model.gradient()));
  const VectorXd by_residual = squared.transpose() * (errors.transpose() * left.cwiseAbs2());
  const double largest = eigen.values.size() > 0 ? eigen.values.maxCoeff() : 0;
  std::vector<Direction> result;
  for (Index i = eigen.values.size(); i-- > 0;) {
    Direction& direction = result.emplace_back();
    const double curvature = std::max(eigen.values(i), 0.0);
    direction.change = units.col(i);
    direction.sensitivity = std::sqrt(curvature);
    direction.sensitivity_error = std::sqrt(of_errors(i));
    direction.gradient = gradient(i);
    if (curvature > 0) {
      direction.posterior_error = std::sqrt(of_noise(i) + of_priors(i)) / curvature;
      direction.simulation_error = std::sqrt(of_simulation(i)) / curvature;
      direction.jacobian_error = std::sqrt(by_residual(i)) / curvature;
    }
    direction.informative =
        curvature > rounding * largest && (curvature > noise_share * of_errors(i) || of_priors(i) > of_errors(i));
    direction.knowledge = knowledge_of(direction, of_priors(i));
  }
  return result;
}

Step solve_step(const LinearModel& model, const std::vector<Direction>& directions, double tikhonov, double radius) {
  std::vector<const Direction*> taken;
  for (const Direction& direction : directions)
    if (direction.is_fitted()) taken.push_back(&direction);
  const auto size = static_cast<Index>(taken.size());
  Step step;
  step.change = VectorXd::Zero(model.parameters());
  if (size == 0) return step;
  MatrixXd units(model.parameters(), size);
  VectorXd gradient(size), curvature(size);
  for (Index i = 0; i < size; ++i) {
    const Direction& direction = *taken[static_cast<std::size_t>(i)];
    units.col(i) = direction.change;
    gradient(i) = direction.gradient;
    curvature(i) = std::pow(direction.sensitivity, 2) + std::pow(direction.sensitivity_error, 2);
  }
  MatrixXd normal = curvature.asDiagonal();
  normal += tikhonov * units.transpose() * model.column_norms(model.weights).cwiseAbs2().asDiagonal() * units;
  const VectorXd inverse = model.variance.unaryExpr([](double v) { return v > 0 ? 1 / v : 0.0; });
  const MatrixXd moved = model.jacobian * units;
  MatrixXd metric = moved.transpose() * inverse.asDiagonal() * moved;
  const VectorXd sizes = parameter_sizes(model);
  metric += weight_of_parameters * units.transpose() * sizes.cwiseAbs2().cwiseInverse().asDiagonal() * units;
  const Eigen::LLT<MatrixXd> factor(metric);
  const MatrixXd lower = factor.matrixL();
  const auto solved = [&](const MatrixXd& right) -> MatrixXd {
    return lower.triangularView<Eigen::Lower>().solve(right);
  };
  // In y = Lᵀz with M = LLᵀ, the Euclidean norm is the norm of the region.
  const MatrixXd half = solved(normal);
  const Step in_region = within_region(solved(half.transpose()), solved(gradient), radius);
  step.damping = in_region.damping;
  step.length = in_region.length;
  step.restricted = in_region.restricted;
  step.change = units * lower.transpose().triangularView<Eigen::Upper>().solve(in_region.change);
  return step;
}

}  // namespace gfdt::calibrate

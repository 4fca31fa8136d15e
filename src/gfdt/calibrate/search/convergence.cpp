#include "gfdt/calibrate/search/convergence.hpp"

#include <algorithm>
#include <cmath>

#include "gfdt/calibrate/search/freedom.hpp"
#include "gfdt/calibrate/targets/weights.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Lower limit of the simulation noise of a step, as a share of the posterior standard error.
constexpr double least_noise = 0.01;
constexpr double stationary_offset = 0.02;
constexpr double unlimited = std::numeric_limits<double>::infinity();

/// For few parameters: judges each direction separately. Returns the mean square of the remaining distances.
double by_directions(const LinearModel& model, Prospect& result) {
  result.directions = directions_of(model);
  result.step = solve_step(model, result.directions, 0, unlimited).change;
  double squares = 0;
  for (const Direction& direction : result.directions) {
    if (direction.knowledge == Knowledge::unresolved) {
      result.unresolved = true;
      result.hidden_reach = std::hypot(result.hidden_reach, direction.possible_reach());
    }
    if (!direction.is_fitted()) continue;
    ++result.rank;
    const double error = direction.posterior_error, distance = direction.remaining();
    result.remaining = std::max(result.remaining, distance);
    result.simulation_share = std::max(result.simulation_share, direction.simulation_error / error);
    result.jacobian_share = std::max(result.jacobian_share, direction.jacobian_error / error);
    squares += distance * distance;
    const double deviations = distance * error / std::hypot(direction.simulation_error, least_noise * error);
    result.significance += deviations * deviations;
    result.insignificant &= deviations <= 3;
  }
  if (result.rank == 0) return 0;
  result.significance /= result.rank;
  return squares / result.rank;
}

/// For many parameters: judges all directions together.
double as_a_whole(const LinearModel& model, Prospect& result) {
  result.step = solve_step(model, 0).change;
  const MatrixXd information = model.information(), inverse = pseudo_inverse(information);
  const MatrixXd gain = inverse * model.jacobian.transpose() * model.weights;
  const MatrixXd of_answer =
      gain * model.noise * gain.transpose() + inverse * model.prior_precision.asDiagonal() * inverse;
  const MatrixXd of_run = gain * model.simulation_noise * gain.transpose();
  const auto square = [&](const MatrixXd& covariance) {
    return result.step.dot(pseudo_inverse(covariance) * result.step);
  };
  result.rank = static_cast<int>(rank_of(information));
  if (result.rank == 0) return 0;
  const double relevance = square(of_answer) / result.rank;
  result.significance = square(of_run + least_noise * least_noise * of_answer) / result.rank;
  result.remaining = std::sqrt(relevance);
  result.insignificant = result.significance <= 2;
  result.simulation_share = std::sqrt(of_run.trace() / std::max(of_answer.trace(), 1e-300));
  return relevance;
}

}  // namespace

double Prospect::sufficient_length(double length) const {
  // Ratio of the simulation noise to the noise of the targets; the latter does not depend on the length.
  const double share = simulation_share * simulation_share, enough = negligible_noise * negligible_noise;
  const double by_noise = share < 1 ? share / (1 - share) / enough : unlimited;
  const double by_jacobian = std::pow(jacobian_share / largest_remaining, 2);
  return unresolved || rank == 0 ? unlimited : length * std::max(by_noise, by_jacobian);
}

Prospect prospect(const LinearModel& model) {
  Prospect result;
  const double relevance =
      model.parameters() <= most_factorised ? by_directions(model, result) : as_a_whole(model, result);
  VectorXd closest = result.step;
  int rank = result.rank;
  MatrixXd weights = model.weights;
  if (!model.weighted_by_noise) {
    LinearModel best = model;
    best.weights = weights = noise_weights(model.noise, model.noise_freedom);
    closest = solve_step(best, 0).change;
    rank = static_cast<int>(rank_of(best.information()));
  }
  const VectorXd left = model.residual + model.jacobian * closest, offset = closest + model.prior_offset;
  result.chi_square = left.dot(weights * left) + offset.dot(model.prior_precision.cwiseProduct(offset));
  const auto priors = static_cast<int>((model.prior_precision.array() > 0).count());
  const int beyond = std::max(0, static_cast<int>(model.targets()) + priors - rank);
  result.degrees_of_freedom = beyond;
  // The residual square follows χ² or T² only if it is weighted by all of N⁻¹; otherwise its components are judged.
  const bool square_known = correlations_known(model.targets(), model.noise_freedom);
  const int dimension = beyond > 0 && !square_known ? static_cast<int>(model.targets()) : beyond;
  const VectorXd deviations = left.cwiseQuotient(model.noise.diagonal().cwiseSqrt());
  result.reachable = noise_tail(result.chi_square, dimension, model.noise_freedom, deviations) >= rejection_level;
  result.stationary = !result.reachable && relevance * result.degrees_of_freedom <=
                                               stationary_offset * stationary_offset * result.chi_square;
  return result;
}

}  // namespace gfdt::calibrate

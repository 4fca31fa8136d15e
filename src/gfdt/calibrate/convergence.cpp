#include "gfdt/calibrate/convergence.hpp"

#include <algorithm>
#include <cmath>

#include "gfdt/calibrate/freedom.hpp"
#include "gfdt/calibrate/step.hpp"
#include "gfdt/calibrate/weights.hpp"
#include "gfdt/statistics/distribution.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double irrelevant_deviations = 0.2;
constexpr double least_noise = 0.01;
constexpr double stationary_offset = 0.02;

double quantile(double confidence, int rank, double freedom) {
  return statistics::hotelling_interval(confidence, rank, std::max(freedom, 2.0 * rank));
}

}  // namespace

Prospect prospect(const LinearModel& model, double confidence) {
  Prospect result;
  result.step = solve_step(model, 0).change;
  const MatrixXd information = model.information(), inverse = pseudo_inverse(information);
  const MatrixXd gain = inverse * model.jacobian.transpose() * model.weights;
  const MatrixXd of_answer =
      gain * model.noise * gain.transpose() + inverse * model.prior_precision.asDiagonal() * inverse;
  const MatrixXd of_run = gain * model.simulation_noise * gain.transpose() + least_noise * least_noise * of_answer;
  const auto square = [&](const MatrixXd& covariance) {
    return result.step.dot(pseudo_inverse(covariance) * result.step);
  };
  const int rank = std::max(1, static_cast<int>(rank_of(information)));
  const double by_run = square(of_run), by_answer = square(of_answer);
  result.significance = by_run / rank;
  result.relevance = by_answer / rank;
  result.insignificant = by_run <= 2 * quantile(confidence, rank, model.simulation_freedom);
  result.within_noise = by_answer <= quantile(confidence, rank, model.noise_freedom);
  result.irrelevant = result.relevance <= irrelevant_deviations * irrelevant_deviations;

  LinearModel best = model;
  best.weights = noise_weights(model.noise, model.noise_freedom);
  const VectorXd closest = solve_step(best, 0).change;
  const VectorXd left = model.residual + model.jacobian * closest, offset = closest + model.prior_offset;
  result.remaining = left.dot(best.weights * left) + offset.dot(model.prior_precision.cwiseProduct(offset));
  const auto priors = static_cast<int>((model.prior_precision.array() > 0).count());
  const int beyond = static_cast<int>(model.targets()) + priors - static_cast<int>(rank_of(best.information()));
  result.degrees_of_freedom = beyond;
  // What is left is a square of χ² only where it was weighed by all of N⁻¹; else its components are judged.
  const bool square_known = correlations_known(model.targets(), model.noise_freedom);
  const int dimension = beyond > 0 && !square_known ? static_cast<int>(model.targets()) : beyond;
  const VectorXd deviations = left.cwiseQuotient(model.noise.diagonal().cwiseSqrt());
  result.reachable = noise_tail(result.remaining, dimension, model.noise_freedom, deviations) >= beyond_noise;
  result.stationary = !result.reachable && result.relevance * result.degrees_of_freedom <=
                                               stationary_offset * stationary_offset * result.remaining;
  return result;
}

}  // namespace gfdt::calibrate

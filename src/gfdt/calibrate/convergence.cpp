#include "gfdt/calibrate/convergence.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "gfdt/calibrate/step.hpp"
#include "gfdt/statistics/distribution.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double irrelevant_deviations = 0.2;

}  // namespace

Prospect prospect(const LinearModel& model, double confidence) {
  Prospect result;
  result.step = solve_step(model, 0).change;
  const MatrixXd gain = pseudo_inverse(model.information()) * model.jacobian.transpose() * model.weights;
  const auto square = [&](const MatrixXd& noise) {
    return result.step.dot(pseudo_inverse(gain * noise * gain.transpose()) * result.step);
  };
  const auto parameters = static_cast<double>(model.parameters());
  const double rank = std::min(parameters, static_cast<double>(model.targets()));
  const double of_simulation = square(model.simulation_noise), of_all = square(model.noise);
  result.significance = of_simulation / rank;
  result.relevance = of_all / rank;
  const double quantile = statistics::chi_square_interval(confidence, rank);
  result.insignificant = of_simulation <= 2 * quantile;
  result.within_noise = of_all <= quantile;
  result.irrelevant = result.relevance <= irrelevant_deviations * irrelevant_deviations;
  const VectorXd left = model.residual + model.jacobian * result.step;
  const VectorXd offset = result.step + model.prior_offset;
  result.remaining =
      left.dot(pseudo_inverse(model.noise) * left) + offset.dot(model.prior_precision.cwiseProduct(offset));
  const auto priors = static_cast<double>((model.prior_precision.array() > 0).count());
  result.degrees_of_freedom = static_cast<double>(model.targets()) + priors - parameters;
  result.reachable = result.degrees_of_freedom <= 0 ||
                     statistics::chi_square_tail(result.remaining, result.degrees_of_freedom) >= beyond_noise;
  return result;
}

}  // namespace gfdt::calibrate

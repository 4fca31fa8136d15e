#include "gfdt/calibrate/posterior/curvature.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

#include "gfdt/base/symmetric_eigen.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Half width of a 95 % interval, and the largest half width that is searched, in standard errors.
constexpr double end = 1.96, farthest_end = 3 * end;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// B^½
MatrixXd root_of(const MatrixXd& weights) {
  const SymmetricEigen eigen = symmetric_eigen(weights);
  return eigen.vectors * eigen.values.cwiseMax(0).cwiseSqrt().asDiagonal() * eigen.vectors.transpose();
}

/// The residual along a direction, in standard deviations: r + a t + ½ c t², t in standard errors.
struct Parabola {
  VectorXd residual, slope, curvature;
  double prior_slope = 0, prior_curvature = 0;  ///< first and second derivative of ½ πᵀΠπ

  double rise(double t) const {
    return 0.5 * ((residual + t * slope + 0.5 * t * t * curvature).squaredNorm() - residual.squaredNorm()) +
           prior_slope * t + 0.5 * prior_curvature * t * t;
  }
  /// The |t| at which the objective has risen by ½ · 1.96² on this side; infinite if it has not within `farthest_end`.
  double crossing(double sign) const {
    constexpr double rise_at_end = 0.5 * end * end;
    double low = 0, high = 0;
    while (high < farthest_end && rise(sign * high) < rise_at_end) {
      low = high;
      high += 0.05;
    }
    if (high >= farthest_end) return infinite;
    for (int halving = 0; halving < 40; ++halving) {
      const double middle = 0.5 * (low + high);
      (rise(sign * middle) < rise_at_end ? low : high) = middle;
    }
    return high;
  }
};

/// θ(η + δ) + θ(η − δ) − 2θ(η), over ∂θ/∂η: the curvature of the coordinates of bounded parameters, as a change of η.
/// Zero if the Gaussian region extends beyond the bounds: the curvature in η then shows that this region cannot be
/// trusted.
VectorXd bend_of_coordinates(const Problem& problem, const std::vector<double>& answer, const LinearModel& model,
                             const VectorXd& change) {
  VectorXd result(change.size());
  for (std::size_t j = 0; j < answer.size(); ++j) {
    const FreeParameter& parameter = problem.parameters[j];
    const auto row = static_cast<Index>(j);
    const double at = parameter.coordinate(answer[j]), reached = std::abs(model.slope(row) * change(row));
    if (!(answer[j] - reached > parameter.lower && answer[j] + reached < parameter.upper))
      return VectorXd::Zero(change.size());
    result(row) =
        (parameter.natural(at + change(row)) + parameter.natural(at - change(row)) - 2 * answer[j]) / model.slope(row);
  }
  return result;
}

}  // namespace

Curvature measure_curvature(const Problem& problem, const std::vector<double>& answer, const LinearModel& model,
                            const std::vector<Direction>& directions, const VectorXd& statistics,
                            const StatisticsAt& evaluate) {
  const MatrixXd root = root_of(model.weights);
  const VectorXd residual = statistics - vector_of(problem.targets.value);
  VectorXd offset(model.parameters());
  for (Index j = 0; j < offset.size(); ++j) {
    const auto& prior = problem.parameters[static_cast<std::size_t>(j)].prior;
    offset(j) = prior ? (answer[static_cast<std::size_t>(j)] - prior->mean) / model.slope(j) : 0;
  }
  const double noise = (model.weights * model.simulation_noise).trace();
  Curvature result;
  result.measured = true;
  std::vector<VectorXd> units, moved;  // one standard error along each direction, and its effect on the statistics
  for (const Direction& direction : directions)
    if (direction.is_fitted()) {
      units.emplace_back(direction.posterior_error * direction.change);
      moved.emplace_back(root * (model.jacobian * units.back()));
    }
  std::array<VectorXd, 2> squares{VectorXd::Zero(model.parameters()), VectorXd::Zero(model.parameters())};
  for (std::size_t i = 0; i < units.size(); ++i) {
    const VectorXd& unit = units[i];
    const auto above = evaluate(end * unit), below = evaluate(-end * unit);
    Parabola along{.residual = root * residual,
                   .slope = moved[i],
                   .curvature = VectorXd::Zero(residual.size()),
                   .prior_slope = unit.dot(model.prior_precision.cwiseProduct(offset)),
                   .prior_curvature = unit.dot(model.prior_precision.cwiseProduct(unit))};
    VectorXd bend = VectorXd::Zero(model.parameters());  // displacement along the other directions, per t²
    bool strong = false;
    if (above && below) {
      along.slope = root * (*above - *below) / (2 * end);
      along.curvature = root * (*above + *below - 2 * statistics) / (end * end);
      const VectorXd by_coordinates = model.jacobian * bend_of_coordinates(problem, answer, model, end * unit);
      // The noise of three runs, which is at most this large, is not curvature.
      const double square =
          0.25 * (root * (*above + *below - 2 * statistics - by_coordinates)).squaredNorm() - 1.5 * noise;
      const double curvature = std::sqrt(std::max(0.0, square)) / end;
      strong = curvature > Curvature::second_order;
      result.largest = std::max(result.largest, curvature);
      for (std::size_t k = 0; k < units.size(); ++k) {
        if (k == i || !(moved[k].squaredNorm() > 0)) continue;
        const double share = moved[k].dot(along.curvature) / moved[k].squaredNorm();
        along.curvature -= share * moved[k];
        bend -= 0.5 * share * units[k];
      }
    } else {
      result.largest = infinite;  // unknown, because the model cannot be evaluated on both sides
    }
    for (const double sign : {-1.0, 1.0}) {
      const double reached = (sign < 0 ? below : above) ? along.crossing(sign) : infinite;
      const VectorXd displacement =
          std::isfinite(reached) ? VectorXd(sign * reached * unit + reached * reached * bend) : VectorXd(sign * unit);
      for (Index j = 0; j < unit.size(); ++j) {
        const double gaussian = strong ? sign * end * unit(j) : 0, curved = displacement(j);
        double of_side[] = {0, 0};
        for (const double change : {gaussian, curved})
          of_side[change > 0] = std::max(of_side[change > 0], change * change);
        if (!std::isfinite(reached) && curved != 0) of_side[curved > 0] = infinite;
        for (const std::size_t side : {0, 1}) squares[side](j) += of_side[side];
      }
    }
  }
  const VectorXd scale = parameter_scale(model);
  for (const Direction& direction : directions)
    for (Index j = 0; j < scale.size() && !direction.is_fitted(); ++j)
      if (changes_along(direction, scale, j)) squares[0](j) = squares[1](j) = infinite;
  for (std::size_t j = 0; j < answer.size(); ++j) {
    const FreeParameter& parameter = problem.parameters[j];
    const double at = parameter.coordinate(answer[j]);
    const auto row = static_cast<Index>(j);
    const double ends[] = {parameter.natural(at - std::sqrt(squares[0](row))),
                           parameter.natural(at + std::sqrt(squares[1](row)))};
    result.lower.push_back(std::min(ends[0], ends[1]));
    result.upper.push_back(std::max(ends[0], ends[1]));
  }
  return result;
}

}  // namespace gfdt::calibrate

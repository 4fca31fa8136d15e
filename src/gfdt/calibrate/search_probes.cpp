#include <algorithm>
#include <cmath>

#include "gfdt/calibrate/search.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// Distances of the two runs from the parameters, in units of the direction; the next where one cannot be evaluated.
constexpr double distances_of_probe[] = {1, 0.25};
/// Rounds of probes in one search, and directions in one round.
constexpr int most_rounds = 3;
constexpr std::size_t most_directions = 4;
/// The largest step after a probe, in units of the direction.
constexpr double longest_step = 1;

VectorXd means_of(const Evaluation& evaluation) {
  VectorXd result(static_cast<Index>(evaluation.statistics.size()));
  for (Index m = 0; m < result.size(); ++m) result(m) = evaluation.statistics[static_cast<std::size_t>(m)].mean;
  return result;
}

}  // namespace

/// The change of the statistics per unit, by runs at both sides with the same random numbers. Its errors are those of
/// one difference, not of a combination of columns.
std::optional<Search::Probe> Search::probe(const Direction& direction) {
  const Iteration& here = base_iteration();
  const double farthest = std::min({1.0, largest_share(direction.change), largest_share(-direction.change)});
  double length = 0;
  Evaluation above, below;
  for (const double distance : distances_of_probe) {
    length = distance * farthest;
    const VectorXd change = length * direction.change;
    above = evaluate(Purpose::statistics, moved(here.parameters, change), here.length);
    if (done()) return {};
    if (!above.usable()) continue;
    below = evaluate(Purpose::statistics, moved(here.parameters, -change), here.length);
    if (done()) return {};
    if (below.usable()) break;
  }
  if (!above.usable() || !below.usable()) return {};
  const std::size_t targets = problem_.targets.size();
  const LinearModel& model = base_.model;
  const VectorXd slope = (means_of(above) - means_of(below)) / (2 * length);
  const Eigen::MatrixXd noise = matrix_of(above.mean_covariance, targets) + matrix_of(below.mean_covariance, targets);
  const VectorXd& unit = direction.change;
  const double of_priors = unit.dot(model.prior_precision.cwiseProduct(unit));
  Probe result;
  result.noise = (model.weights * noise).trace() / std::pow(2 * length, 2);
  result.curvature = std::max(0.0, slope.dot(model.weights * slope) - result.noise) + of_priors;
  result.gradient = slope.dot(model.weights * model.residual) +
                    unit.dot(model.prior_precision.cwiseProduct(model.prior_offset));
  return result;
}

Search::Resolution Search::resolve_by_probes() {
  if (++rounds_of_probes_ > most_rounds) return Resolution::hidden;
  const Iteration& here = base_iteration();
  VectorXd step = VectorXd::Zero(base_.model.parameters());
  std::size_t probed = 0;
  for (const Direction& direction : base_.prospect.directions) {
    if (direction.knowledge != Knowledge::unresolved) continue;
    if (++probed > most_directions) return Resolution::hidden;
    const std::optional<Probe> found = probe(direction);
    if (!found) return Resolution::hidden;
    Direction seen = direction;
    seen.sensitivity = std::sqrt(found->curvature);
    seen.sensitivity_error = std::sqrt(found->noise);
    if (seen.possible_reach() <= 1) continue;  // undetermined
    if (std::abs(found->gradient) <= Prospect::near_minimum * std::sqrt(found->curvature + found->noise)) continue;
    if (found->curvature <= found->noise) return Resolution::hidden;
    step += std::clamp(-found->gradient / found->curvature, -longest_step, longest_step) * direction.change;
  }
  if (step.isZero(0)) return Resolution::at_minimum;
  if (const double share = largest_share(step); share < 1) step *= share;
  const double before = objective_at(here.parameters, here.mismatch);
  ++steps_;
  if (!add_iteration(moved(here.parameters, step), here.length)) return Resolution::hidden;
  Iteration& there = result_.iterations.back();
  if (!there.evaluation.usable() || objective_at(there.parameters, there.mismatch) >= before) {
    there.accepted = false;
    return Resolution::hidden;
  }
  there.remarks.emplace_back("A step along directions that runs at both sides resolved, and the Jacobian did not.");
  move_to_last();
  return Resolution::moved;
}

}  // namespace gfdt::calibrate

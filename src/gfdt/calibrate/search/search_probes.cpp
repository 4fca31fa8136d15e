#include <algorithm>
#include <cmath>

#include "gfdt/calibrate/search/search.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// Distances of the two runs from the parameters, in units of the direction. The second is used if the model cannot be
/// evaluated at the first.
constexpr double distances_of_probe[] = {1, 0.25};
/// Polls are local: they look for a descent direction at the current parameters. With more directions they are too
/// expensive.
constexpr double distances_of_poll[] = {0.1, 0.02};
constexpr std::size_t most_polled = 8;
/// A step after a poll must lower Φ by at least this share.
constexpr double least_gain_of_poll = 0.02;
/// Largest numbers of rounds of probes, or of polls, per search, and of directions per round.
constexpr int most_rounds = 3;
constexpr std::size_t most_directions = 4;
/// Largest step after a probe, in units of the direction.
constexpr double longest_step = 1;

VectorXd means_of(const Evaluation& evaluation) {
  VectorXd result(static_cast<Index>(evaluation.statistics.size()));
  for (Index m = 0; m < result.size(); ++m) result(m) = evaluation.statistics[static_cast<std::size_t>(m)].mean;
  return result;
}

}  // namespace

std::optional<Search::Sides> Search::sides_of(const Direction& direction, std::span<const double> distances) {
  const Iteration& here = base_iteration();
  const double farthest = std::min({1.0, largest_share(direction.change), largest_share(-direction.change)});
  for (const double distance : distances) {
    Sides sides{.distance = distance * farthest, .above = {}, .below = {}};
    const VectorXd change = sides.distance * direction.change;
    sides.above = evaluate(Purpose::statistics, moved(here.parameters, change), here.length);
    if (done()) return {};
    if (!sides.above.usable()) continue;
    sides.below = evaluate(Purpose::statistics, moved(here.parameters, -change), here.length);
    if (done()) return {};
    if (sides.below.usable()) return sides;
  }
  return {};
}

/// Estimates the change of the statistics per unit from runs on both sides with the same random numbers. Its error is
/// that of a single difference rather than that of a combination of columns.
std::optional<Search::Probe> Search::probe(const Direction& direction) {
  const std::optional<Sides> sides = sides_of(direction, distances_of_probe);
  if (!sides) return {};
  const auto& [length, above, below] = *sides;
  const std::size_t targets = problem_.targets.size();
  const LinearModel& model = base_.model;
  const VectorXd slope = (means_of(above) - means_of(below)) / (2 * length);
  const Eigen::MatrixXd noise = matrix_of(above.mean_covariance, targets) + matrix_of(below.mean_covariance, targets);
  const VectorXd& unit = direction.change;
  const double of_priors = unit.dot(model.prior_precision.cwiseProduct(unit));
  Probe result;
  result.noise = (model.weights * noise).trace() / std::pow(2 * length, 2);
  result.curvature = std::max(0.0, slope.dot(model.weights * slope) - result.noise) + of_priors;
  result.gradient =
      slope.dot(model.weights * model.residual) + unit.dot(model.prior_precision.cwiseProduct(model.prior_offset));
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

/// Computes a step from a parabola through three values of Φ along each direction. If that step does not lower Φ
/// enough, the point with the lowest value is used. The result is inconclusive if one of the runs cannot be used.
Search::Resolution Search::poll() {
  const std::vector<Direction> directions = base_.prospect.directions;
  if (directions.empty() || directions.size() > most_polled || ++rounds_of_polls_ > most_rounds)
    return Resolution::hidden;
  const Iteration here = base_iteration();
  const double before = objective_at(here.parameters, here.mismatch), low_enough = (1 - least_gain_of_poll) * before;
  double lowest = before;
  VectorXd step = VectorXd::Zero(base_.model.parameters()), to_lowest = step;
  bool conclusive = true;
  for (const Direction& direction : directions) {
    const std::optional<Sides> sides = sides_of(direction, distances_of_poll);
    if (done()) return Resolution::hidden;
    if (!sides) {
      conclusive = false;
      continue;
    }
    const double h = sides->distance;
    const auto value_at = [&](double distance, const Evaluation& evaluation) {
      const VectorXd change = distance * direction.change;
      const double value = objective_at(moved(here.parameters, change), mismatch(evaluation, problem_.targets));
      if (value < lowest) {
        lowest = value;
        to_lowest = change;
      }
      return value;
    };
    const double above = value_at(h, sides->above), below = value_at(-h, sides->below);
    const double gradient = (above - below) / (2 * h), curvature = (above + below - 2 * before) / (h * h);
    const double farthest = 2 * h;
    step += direction.change * (curvature > 0 ? std::clamp(-gradient / curvature, -farthest, farthest)
                                              : std::copysign(farthest, -gradient));
  }
  if (const double share = largest_share(step); share < 1) step *= share;
  for (const VectorXd& change : {step, to_lowest}) {
    if (change.isZero(0) || (change == to_lowest && lowest > low_enough)) continue;
    const std::vector<double> parameters = moved(here.parameters, change);
    const auto stands = [&](const Evaluation& there) {
      return objective_at(parameters, mismatch(there, problem_.targets)) < low_enough;
    };
    ++steps_;
    if (!add_iteration(parameters, here.length, wanted_where(stands))) return Resolution::hidden;
    Iteration& there = result_.iterations.back();
    const bool lower = there.evaluation.usable() && stands(there.evaluation);
    if (lower && !there.evaluation.declined) {
      there.remarks.emplace_back("A step by runs at both sides of the parameters: the Jacobian leads no further.");
      region_ = TrustRegion(options_.trust_radius);
      move_to_last();
      return Resolution::moved;
    }
    if (lower || !there.evaluation.usable()) conclusive = false;
    there.accepted = false;
  }
  return conclusive ? Resolution::at_minimum : Resolution::hidden;
}

}  // namespace gfdt::calibrate

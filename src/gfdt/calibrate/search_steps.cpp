#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/calibrate/condition_cap.hpp"
#include "gfdt/calibrate/run_length.hpp"
#include "gfdt/calibrate/search.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most_setbacks = 8;
/// A parameter comes at most so many times closer to a bound, or farther from it, in one step; as a logarithm.
constexpr double farthest = 3;

/// ½ rᵀBr without what the noise C of the simulation adds to it on average, ½ tr(BC), and its standard deviation.
struct NoisyObjective {
  double value = 0;
  double variance = 0;
};

NoisyObjective noisy_objective(const Problem& problem, const std::vector<double>& parameters,
                               const Evaluation& evaluation, const MatrixXd& weights) {
  const Mismatch off = mismatch(evaluation, problem.targets);
  const VectorXd residual = vector_of(off.residual);
  const MatrixXd noise = matrix_of(evaluation.mean_covariance, problem.targets.size());
  const MatrixXd product = weights * noise;
  return {objective(problem, parameters, off, weights) - 0.5 * product.trace(),
          residual.dot(product * weights * residual) + 0.5 * (product * product).trace()};
}

}  // namespace

std::vector<double> Search::moved(const std::vector<double>& from, const VectorXd& change) const {
  std::vector<double> result;
  for (std::size_t j = 0; j < from.size(); ++j) {
    const FreeParameter& parameter = problem_.parameters[j];
    const double to = parameter.natural(parameter.coordinate(from[j]) + change(static_cast<Eigen::Index>(j)));
    // Rounding must not put it on a bound, from where no step leads back.
    result.push_back(to > parameter.lower && to < parameter.upper ? to
                     : to <= parameter.lower                      ? (from[j] + parameter.lower) / 2
                                                                  : (from[j] + parameter.upper) / 2);
  }
  return result;
}

double Search::share_within_bounds(const VectorXd& change) const {
  double share = 1;
  for (std::size_t j = 0; j < problem_.parameters.size(); ++j) {
    const FreeParameter& parameter = problem_.parameters[j];
    const double size = std::abs(change(static_cast<Eigen::Index>(j)));
    if (std::isfinite(parameter.lower) || std::isfinite(parameter.upper)) share = std::min(share, farthest / size);
  }
  return share;
}

Search::Candidate Search::candidate() const {
  Candidate result;
  result.step = solve_step(base_.model, options_.tikhonov, region_.radius());
  const std::vector<double>& from = base_iteration().parameters;
  if (options_.algorithm == Algorithm::gauss_newton) {
    const VectorXd natural = base_.model.slope.cwiseProduct(result.step.change);
    const double share = condition_cap(base_iteration().condition, options_.condition_cap, options_.capped_step,
                                       natural.norm(), vector_of(from).norm());
    result.step.shorten(share);
  }
  if (const double share = share_within_bounds(result.step.change); share < 1) result.step.shorten(share);
  result.parameters = moved(from, result.step.change);
  return result;
}

void Search::check_stability(Candidate& candidate) {
  const std::vector<double>& from = base_iteration().parameters;
  std::string why;
  for (; options_.stability_length > 0 && !done(); ++candidate.halvings) {
    const Evaluation short_run =
        evaluate(Purpose::stability, candidate.parameters, options_.stability_length * problem_.length);
    if (done() || short_run.usable()) return;
    why = short_run.problem;
    if (candidate.halvings == options_.halvings) {
      candidate.holds = false;
      break;
    }
    candidate.step.shorten(0.5);
    candidate.parameters = moved(from, candidate.step.change);
  }
  if (!candidate.holds)
    end(Status::unstable,
        fmt::format("No step along this direction keeps the dynamics stable, not after {} halvings. {}",
                    options_.halvings, why));
}

void Search::repeat_base() {
  ++steps_;
  const std::vector<double> here = base_iteration().parameters;
  if (!add_iteration(here, length_)) return;
  Iteration& again = result_.iterations.back();
  if (again.evaluation.usable()) {
    again.remarks.push_back("The same parameters in a longer run, since a step from here led nowhere.");
    move_to_last();
  } else {
    end(Status::failed, fmt::format("A longer run at these parameters cannot be used. {}", again.evaluation.problem));
  }
}

void Search::advance() {
  if (setbacks_ > 0 && base_iteration().length < length_) {
    repeat_base();
    return;
  }
  Candidate next = candidate();
  check_stability(next);
  if (done()) return;
  constexpr double smallest = 1e-10;
  if (!(next.step.length > smallest) && long_enough()) {
    end(Status::small_steps, "Steps have become too small to change anything.");
    return;
  }
  Iteration& here = base_iteration();
  here.damping = next.step.damping;
  here.trust_radius = region_.radius();
  here.halvings = next.halvings;
  here.step.clear();
  for (std::size_t j = 0; j < here.parameters.size(); ++j) here.step.push_back(next.parameters[j] - here.parameters[j]);
  here.predicted = values_of(base_.model.jacobian * next.step.change);
  length_ = nothing_to_gain() || below_tolerance() ? problem_.length
                                                   : next_length(length_, problem_.length, base_.prospect.significance);
  ++steps_;
  // Where a step is taken back its derivatives are of no use.
  const auto wanted = [&](const std::vector<statistics::Average>& statistics, const std::vector<double>& covariance) {
    Evaluation there;
    there.statistics = statistics;
    there.mean_covariance = covariance;
    const bool sound = flaw(there, Purpose::statistics, problem_.targets.size(), problem_.parameters.size()).empty();
    return !sound || gain_of(next, there).stands();
  };
  const bool can_go_back = options_.algorithm == Algorithm::levenberg_marquardt;
  if (add_iteration(next.parameters, length_, can_go_back ? response::Wanted(wanted) : response::Wanted())) judge(next);
}

Search::Gain Search::gain_of(const Candidate& candidate, const Evaluation& there) const {
  const MatrixXd& weights = base_.model.weights;
  const Iteration& here = base_iteration();
  const NoisyObjective before = noisy_objective(problem_, here.parameters, here.evaluation, weights);
  const NoisyObjective after = noisy_objective(problem_, candidate.parameters, there, weights);
  return {before.value, after.value, base_.model.predicted_decrease(candidate.step.change),
          std::sqrt(before.variance + after.variance)};
}

void Search::judge(const Candidate& candidate) {
  Iteration& there = result_.iterations.back();
  const auto go_back = [&](std::string why) {
    there.accepted = false;
    there.remarks.push_back(std::move(why));
    show_progress();
    region_.shrink(candidate.step.length);
    if (++setbacks_ >= most_setbacks)
      end(Status::small_steps, fmt::format("{} steps in a row led nowhere. {}", setbacks_, there.remarks.back()));
  };
  if (!there.evaluation.usable()) {
    go_back(fmt::format("The model could not be evaluated here. {}", there.evaluation.problem));
    return;
  }
  if (options_.algorithm == Algorithm::levenberg_marquardt) {
    const Gain gain = gain_of(candidate, there.evaluation);
    const bool stands =
        region_.judge(gain.actual(), gain.predicted, gain.deviation, candidate.step.length, candidate.step.restricted);
    if (!stands || there.evaluation.declined) {
      go_back(fmt::format("The mismatch grew beyond its noise: the objective from {:.4g} to {:.4g}.", gain.before,
                          gain.after));
      return;
    }
  }
  move_to_last();
}

}  // namespace gfdt::calibrate

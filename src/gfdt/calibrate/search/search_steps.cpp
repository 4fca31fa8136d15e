#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/calibrate/search/condition_cap.hpp"
#include "gfdt/calibrate/search/run_length.hpp"
#include "gfdt/calibrate/search/search.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most_rejected = 8;
/// The largest change of a parameter in one step. For a bounded parameter: a factor of e^1.5 in the distance from the
/// bound. Otherwise: 60 % of its value towards zero and 150 % away from zero, but at least 30 % or 50 % of its guess,
/// and at least 30 % of the change that moves the statistics by one standard deviation of the observables.
double farthest(const FreeParameter& parameter, double at, double change, double moves_statistics) {
  if (parameter.bounded()) return 1.5;
  const double guess = std::abs(parameter.value), size = std::abs(at);
  const double by_size = at * change < 0 ? std::max(0.6 * size, 0.3 * guess) : std::max(1.5 * size, 0.5 * guess);
  return std::max(by_size, 0.3 * moves_statistics);
}

/// ½ rᵀBr minus the mean contribution of the covariance C of the simulation, ½ tr(BC), and its variance.
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
    // Rounding must not place it on a bound, where every further step would be zero.
    result.push_back(to > parameter.lower && to < parameter.upper ? to
                     : to <= parameter.lower                      ? (from[j] + parameter.lower) / 2
                                                                  : (from[j] + parameter.upper) / 2);
  }
  return result;
}

double Search::largest_share(const VectorXd& change) const {
  const VectorXd norms = trust_scale(base_.model);
  double share = 1;
  for (std::size_t j = 0; j < problem_.parameters.size(); ++j) {
    const auto column = static_cast<Eigen::Index>(j);
    const double size = std::abs(change(column)), at = base_iteration().parameters[j];
    if (size > 0)
      share = std::min(share, farthest(problem_.parameters[j], at, change(column), 1 / norms(column)) / size);
  }
  return share;
}

Step Search::next_step() const {
  if (base_.prospect.directions.empty() || options_.algorithm == Algorithm::gauss_newton)
    return solve_step(base_.model, options_.tikhonov, region_.radius());
  return solve_step(base_.model, base_.prospect.directions, options_.tikhonov, region_.radius());
}

Search::Candidate Search::candidate() const {
  Candidate result;
  result.step = next_step();
  const std::vector<double>& from = base_iteration().parameters;
  if (options_.algorithm == Algorithm::gauss_newton) {
    const VectorXd natural = base_.model.slope.cwiseProduct(result.step.change);
    const double share = condition_cap(base_iteration().condition, options_.condition_cap, options_.capped_step,
                                       natural.norm(), vector_of(from).norm());
    result.step.shorten(share);
  }
  if (const double share = largest_share(result.step.change); share < 1 && can_reject()) result.step.shorten(share);
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

void Search::repeat_base(const char* reason) {
  ++steps_;
  const std::vector<double> here = base_iteration().parameters;
  if (!add_iteration(here, length_)) return;
  Iteration& again = result_.iterations.back();
  if (again.evaluation.usable()) {
    again.remarks.emplace_back(reason);
    move_to_last();
  } else {
    end(Status::failed, fmt::format("A longer run at these parameters cannot be used. {}", again.evaluation.problem));
  }
}

void Search::advance() {
  const Prospect& prospect = base_.prospect;
  if (rejected_ > 0 && base_iteration().length < length_)
    return repeat_base("The same parameters in a longer run, since a step from here was rejected.");
  if (converged_here() && long_enough() && !precise_) {
    precise_ = true;
    return repeat_base("The same run with a more accurate Jacobian.");
  }
  if (insignificant_ > 1) precise_ = true;  // the last steps have not come closer, possibly because of the Jacobian
  constexpr double reserve = 1.5;           // the sufficient length is an estimate that changes with the longer run
  length_ = converged_here() || below_tolerance() ? std::min(problem_.length, reserve * sufficient_length())
            : prospect.rank == 0                  ? problem_.length
                                                  : next_length(length_, problem_.length, prospect.significance);
  if (prospect.rank == 0 && base_iteration().length < length_)
    return repeat_base("The same parameters in a longer run: the errors of the Jacobian hide which way to step.");
  Candidate next = candidate();
  check_stability(next);
  if (done()) return;
  constexpr double smallest = 1e-10;
  if (!(next.step.length > smallest) && base_iteration().length >= length_) {
    if (!moves_from_mismatch()) end(Status::small_steps, "Steps have become too small to change anything.");
    return;
  }
  Iteration& here = base_iteration();
  here.damping = next.step.damping;
  here.trust_radius = region_.radius();
  here.halvings = next.halvings;
  here.step.clear();
  for (std::size_t j = 0; j < here.parameters.size(); ++j) here.step.push_back(next.parameters[j] - here.parameters[j]);
  here.predicted = values_of(base_.model.jacobian * next.step.change);
  ++steps_;
  const auto wanted = wanted_where([&](const Evaluation& there) { return gain_of(next, there).stands(); });
  if (add_iteration(next.parameters, length_, can_reject() ? wanted : jacobian::Wanted())) judge(next);
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
  const auto reject = [&](const std::string& why) {
    there.accepted = false;
    there.remarks.push_back(why);
    show_progress();
    if (++rejected_ >= most_rejected && !moves_from_mismatch())
      end(Status::small_steps, fmt::format("{} steps in a row were rejected. {}", most_rejected, why));
  };
  if (!there.evaluation.usable()) {
    region_.shrink(candidate.step.length);
    reject(fmt::format("The model could not be evaluated here. {}", there.evaluation.problem));
    return;
  }
  if (can_reject()) {
    const Gain gain = gain_of(candidate, there.evaluation);
    const bool stands = region_.judge(gain.actual(), gain.predicted, gain.deviation, candidate.step.length,
                                      candidate.step.restricted, there.length == base_iteration().length);
    if (!stands || there.evaluation.declined) {
      reject(fmt::format("The mismatch grew beyond its noise: the objective from {:.4g} to {:.4g}.", gain.before,
                         gain.after));
      return;
    }
  }
  move_to_last();
}

}  // namespace gfdt::calibrate

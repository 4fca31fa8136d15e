#include "gfdt/calibrate/search/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gfdt/base/rounded_up.hpp"
#include "gfdt/calibrate/posterior/curvature.hpp"
#include "gfdt/calibrate/posterior/posterior_of.hpp"
#include "gfdt/calibrate/search/stage_seed.hpp"

namespace gfdt::calibrate {
namespace {

/// A search has stalled if this many accepted steps lower the objective by less than this factor.
constexpr double least_progress = 0.8;
constexpr std::size_t patience = 5;
/// The objective has settled if its relative spread over this many accepted steps is below this value.
constexpr double settled_spread = 0.02;
constexpr std::size_t settled_steps = 4;

}  // namespace

Search::Search(const Problem& problem, const Options& options, Evaluator& evaluator, const simulate::Control& control,
               const Observer& observer)
    : problem_(problem),
      options_(options),
      evaluator_(evaluator),
      control_(control),
      observer_(observer),
      region_(options.algorithm == Algorithm::gauss_newton ? std::numeric_limits<double>::infinity()
                                                           : options.trust_radius),
      length_(options.first_length * problem.length) {}

Calibration Search::run() {
  start();
  while (!done()) {
    consider_stop();
    if (!done()) advance();
  }
  return std::move(result_);
}

void Search::end(Status status, std::string explanation) {
  done_ = true;
  result_.status = status;
  result_.explanation = std::move(explanation);
  if (!result_.parameters.empty() || base_.model.parameters() == 0) return;
  return_to_best();
  take_answer(result_);
}

double Search::sufficient_length() const {
  return std::min(problem_.length, base_.prospect.sufficient_length(base_iteration().length));
}

bool Search::below_tolerance() const {
  return options_.tolerance && base_iteration().mismatch.norm < *options_.tolerance;
}

bool Search::fits_exactly() const {
  const double excess = 2 * objective_at(base_iteration().parameters, base_iteration().mismatch);
  return excess <= Prospect::largest_remaining * Prospect::largest_remaining;
}

std::vector<double> Search::accepted_objectives() const {
  std::vector<double> objectives;
  for (const Iteration& iteration : result_.iterations)
    if (iteration.accepted) objectives.push_back(objective_at(iteration.parameters, iteration.mismatch));
  return objectives;
}

bool Search::settled() const {
  const std::vector<double> objectives = accepted_objectives();
  if (objectives.size() < settled_steps) return false;
  const auto [least, most] =
      std::minmax_element(objectives.end() - static_cast<std::ptrdiff_t>(settled_steps), objectives.end());
  return *most - *least < settled_spread * *least;
}

bool Search::stalled() const {
  const std::vector<double> objectives = accepted_objectives();
  if (objectives.size() <= patience) return false;
  const auto recent = objectives.end() - static_cast<std::ptrdiff_t>(patience);
  const double before = *std::min_element(objectives.begin(), recent);
  return *std::min_element(recent, objectives.end()) > least_progress * before;
}

double Search::expected_cost(Purpose purpose, double length) const {
  if (const double known = cost_[static_cast<std::size_t>(purpose)]; known > 0) return known * length;
  double least = 0;
  for (const double cost : cost_)
    if (cost > 0 && (least == 0 || cost < least)) least = cost;
  return least * length;
}

Evaluation Search::evaluate(Purpose purpose, const std::vector<double>& parameters, double length,
                            const jacobian::Wanted& wanted) {
  if (const double cost = expected_cost(purpose, length);
      options_.simulated_time && result_.simulated_time + cost > *options_.simulated_time) {
    end(Status::simulated_time,
        fmt::format("The budget is {:g} units of simulated time, {:.3g} are left, and the next run takes about {:.3g}.",
                    *options_.simulated_time, std::max(0.0, *options_.simulated_time - result_.simulated_time), cost));
    return {};
  }
  const bool same_noise = can_reject() && purpose != Purpose::stability;
  const std::uint64_t stage = same_noise ? 0 : ++other_runs_;
  Request request{purpose, parameters, length, stage_seed(problem_.seed, stage), {}, wanted, precise_};
  if (purpose == Purpose::jacobian) request.start = scores_;
  Evaluation evaluation = evaluator_.evaluate(request, control_);
  if (!evaluation.declined) cost_[static_cast<std::size_t>(purpose)] = evaluation.simulated_time / length;
  result_.simulated_time += evaluation.simulated_time;
  result_.wall_seconds += evaluation.wall_seconds;
  if (evaluation.cancelled) end(Status::interrupted, "Stopped from outside; all that was finished is kept.");
  if (evaluation.usable())
    evaluation.problem = flaw(evaluation, purpose, problem_.targets.size(), problem_.parameters.size());
  if (evaluation.usable() && purpose == Purpose::jacobian && !evaluation.declined) scores_ = evaluation.scores;
  return evaluation;
}

/// A run that is unusable because it is too short is repeated at full length.
bool Search::add_iteration(const std::vector<double>& parameters, double length, const jacobian::Wanted& wanted) {
  Evaluation evaluation = evaluate(Purpose::jacobian, parameters, length, wanted);
  std::vector<std::string> remarks;
  if (!done() && !evaluation.usable() && length < problem_.length) {
    remarks.push_back(
        fmt::format("At length {:g}: {} The run was repeated at full length.", length, evaluation.problem));
    length_ = length = problem_.length;
    evaluation = evaluate(Purpose::jacobian, parameters, length, wanted);
  }
  if (done()) return false;
  Iteration& iteration = result_.iterations.emplace_back();
  iteration.parameters = parameters;
  iteration.length = length;
  iteration.spent = result_.simulated_time;
  iteration.remarks = std::move(remarks);
  iteration.evaluation = std::move(evaluation);
  iteration.evaluation.scores.clear();
  iteration.trust_radius = region_.radius();
  iteration.accepted = iteration.evaluation.usable();
  if (iteration.accepted) iteration.mismatch = mismatch(iteration.evaluation, problem_.targets);
  return true;
}

jacobian::Wanted Search::wanted_where(std::function<bool(const Evaluation&)> stands) const {
  return [this, stands = std::move(stands)](const std::vector<statistics::Average>& statistics,
                                            const std::vector<double>& covariance) {
    Evaluation there;
    there.statistics = statistics;
    there.mean_covariance = covariance;
    const bool sound = flaw(there, Purpose::statistics, problem_.targets.size(), problem_.parameters.size()).empty();
    return !sound || stands(there);
  };
}

Search::Base Search::base_at(std::size_t iteration) const {
  const Iteration& here = result_.iterations[iteration];
  Base base{iteration, linear_model(problem_, here.parameters, here.evaluation, here.mismatch, options_), {}};
  if (largest_variance_.size() == base.model.variance.size())
    base.model.variance = base.model.variance.cwiseMax(largest_variance_);
  base.prospect = prospect(base.model);
  return base;
}

void Search::move_to_last() {
  base_ = base_at(result_.iterations.size() - 1);
  largest_variance_ = base_.model.variance;
  base_iteration().condition = scaled_condition(base_.model);
  rejected_ = 0;
  const bool repeated = base_.prospect.insignificant && base_iteration().length >= problem_.length;
  insignificant_ = repeated ? insignificant_ + 1 : 0;
  show_progress();
}

void Search::start() {
  std::vector<double> guess;
  for (const FreeParameter& parameter : problem_.parameters) guess.push_back(parameter.value);
  if (!add_iteration(guess, length_)) return;
  if (const Evaluation& first = result_.iterations[0].evaluation; !first.usable()) {
    end(Status::failed, fmt::format("The model cannot be evaluated at the guess. {}", first.problem));
    return;
  }
  move_to_last();
}

void Search::consider_stop() {
  const Prospect& prospect = base_.prospect;
  if (long_enough() && below_tolerance()) {
    end(Status::tolerance,
        fmt::format("The norm of the mismatch, {:.3g}, is below the tolerance.", base_iteration().mismatch.norm));
    return;
  }
  if (converged_here() && long_enough()) {
    const bool hidden = prospect.unresolved && !fits_exactly();
    if (precise_ || !(hidden || prospect.jacobian_share > smallest_distance())) {
      const Resolution resolution = hidden ? resolve_by_probes() : Resolution::at_minimum;
      if (done() || resolution == Resolution::moved) return;
      if (resolution == Resolution::hidden && moves_from_mismatch()) return;
      if (resolution == Resolution::hidden)
        end(Status::noisy_jacobian,
            "The errors of the Jacobian hide whether the targets determine some combination of the parameters.");
      else
        finish();
      return;
    }
  }
  if (settled() && moves_from_mismatch()) return;
  if (steps_ >= options_.iterations)
    end(Status::iterations,
        fmt::format("{}; more were not allowed.",
                    steps_ == 1 ? "One iteration was made" : fmt::format("{} iterations were made", steps_)));
  else if (options_.until_noise && can_reject() && stalled())
    finish_stalled();
}

bool Search::fits_here() const {
  return goodness_of_fit(problem_.parameters, base_iteration().parameters, base_iteration().mismatch, 0).accepted();
}

/// At a minimum the weighted residual is orthogonal to all columns of S, so at least one combination of the targets is
/// not fitted.
GoodnessOfFit Search::rejected_fit() const {
  const Iteration& here = base_iteration();
  const GoodnessOfFit all = goodness_of_fit(problem_.parameters, here.parameters, here.mismatch, 0);
  return goodness_of_fit(problem_.parameters, here.parameters, here.mismatch,
                         std::min(base_.prospect.rank, all.targets - 1));
}

void Search::end_unreachable(const char* evidence, GoodnessOfFit fit) {
  end(Status::unreachable, fmt::format("{}, and noise does not explain it: {} (rejected below p = {:g}). No parameters "
                                       "near these reproduce the targets.",
                                       evidence, in_words(fit), fit.level));
  result_.fit = fit;
}

/// Far from all targets the curvature of the statistics, which Gauss–Newton neglects, prevents steps from vanishing.
bool Search::moves_from_mismatch() {
  if (!options_.until_noise || !can_reject() || fits_here()) return false;
  const Resolution resolution = base_.prospect.beyond_reach() && settled() ? Resolution::at_minimum : poll();
  if (!done() && resolution == Resolution::at_minimum) {
    return_to_best();
    end_unreachable("The mismatch no longer falls", rejected_fit());
  }
  return done() || resolution == Resolution::moved;
}

void Search::finish_stalled() {
  const Prospect& prospect = base_.prospect;
  const bool near = prospect.remaining <= (prospect.insignificant ? Prospect::farthest_end : Prospect::near_minimum);
  if (long_enough() && prospect.reachable && !prospect.unresolved && near)
    finish();
  else if (!moves_from_mismatch())
    end(Status::small_steps, fmt::format("The last {} steps have hardly lowered the mismatch.", patience));
}

double Search::objective_at(const std::vector<double>& parameters, const Mismatch& mismatch) const {
  return objective(problem_, parameters, mismatch, base_.model.weights);
}

void Search::finish() {
  const Iteration& here = base_iteration();
  const std::vector<double> answer = moved(here.parameters, base_.prospect.step);
  Evaluation there = evaluate(Purpose::statistics, answer, here.length);
  if (done()) return;
  // If the last step does not lower the objective, the answer is the current iterate.
  const bool usable = there.usable();
  Mismatch found = usable ? mismatch(there, problem_.targets) : Mismatch();
  if (usable && objective_at(answer, found) <= objective_at(here.parameters, here.mismatch)) {
    result_.parameters = answer;
    result_.statistics = std::move(there.statistics);
    result_.mismatch = std::move(found);
    result_.insight = here.evaluation.insight;
    result_.posterior = posterior_of(problem_, here.parameters, base_.model, base_.prospect.step, true);
  } else {
    return_to_best();
    take_answer(result_);
  }
  const GoodnessOfFit& fit = result_.fit =
      goodness_of_fit(problem_.parameters, result_.parameters, result_.mismatch, base_.prospect.rank);
  if (fit.accepted()) measure_curvature_at_answer();
  if (done()) return;
  const Prospect& prospect = base_.prospect;
  if (fit.accepted())
    end(prospect.independent_of_noise() ? Status::within_noise : Status::simulation_noise,
        fmt::format("The parameters are within {:.2g} posterior standard errors of the minimum{}. {}{}.{}",
                    std::max(0.01, prospect.remaining), prospect.independent_of_noise() ? "" : " that these runs show",
                    in_words(fit),
                    fit.degrees_of_freedom() > 0 ? fmt::format(" (rejected below p = {:g})", fit.level) : "",
                    noise_remark()));
  else
    end_unreachable("The mismatch is at a minimum", fit);
}

void Search::measure_curvature_at_answer() {
  constexpr int most_directions = 8;
  const Iteration& here = base_iteration();
  if (!options_.curvature || base_.prospect.rank == 0 || base_.prospect.rank > most_directions) return;
  const double cost = 2 * base_.prospect.rank * expected_cost(Purpose::statistics, here.length);
  if (options_.simulated_time && result_.simulated_time + cost > *options_.simulated_time) return;
  Eigen::VectorXd statistics(static_cast<Eigen::Index>(problem_.targets.size()));
  const auto means_of = [&](const std::vector<statistics::Average>& averages) {
    for (std::size_t m = 0; m < averages.size(); ++m) statistics(static_cast<Eigen::Index>(m)) = averages[m].mean;
    return statistics;
  };
  const Eigen::VectorXd at_answer = means_of(result_.statistics);
  result_.curvature = measure_curvature(
      problem_, result_.parameters, base_.model, base_.prospect.directions, at_answer,
      [&](const Eigen::VectorXd& change) -> std::optional<Eigen::VectorXd> {
        if (done()) return {};
        const Evaluation there = evaluate(Purpose::statistics, moved(result_.parameters, change), here.length);
        return there.usable() ? std::optional(means_of(there.statistics)) : std::nullopt;
      });
}

std::string Search::noise_remark() const {
  constexpr double practical = 1000;  // times the requested length
  const double share = base_.prospect.simulation_share;
  const double length = base_.prospect.sufficient_length(base_iteration().length);
  if (share <= Prospect::negligible_noise || length <= base_iteration().length) return {};
  const std::string advice =
      base_.prospect.unresolved ? ""
      : length <= practical * problem_.length
          ? fmt::format("; simulation.length = {:g} would make it negligible", rounded_up(length))
          : "; the targets are more precise than any practical run";
  return fmt::format(" Simulation noise makes up {:.0f} % of the variance of the answer{}.", 100 * share * share,
                     advice);
}

void Search::return_to_best() {
  std::size_t best = base_.iteration;
  double least = objective_at(base_iteration().parameters, base_iteration().mismatch);
  for (std::size_t i = 0; i < result_.iterations.size(); ++i) {
    const Iteration& iteration = result_.iterations[i];
    if (!iteration.accepted || iteration.length < base_iteration().length) continue;
    if (const double value = objective_at(iteration.parameters, iteration.mismatch); value < least) {
      least = value;
      best = i;
    }
  }
  if (best != base_.iteration) base_ = base_at(best);
}

void Search::take_answer(Calibration& result) const {
  const Iteration& here = base_iteration();
  result.parameters = here.parameters;
  result.statistics = here.evaluation.statistics;
  result.mismatch = here.mismatch;
  result.insight = here.evaluation.insight;
  result.fit = goodness_of_fit(problem_.parameters, here.parameters, here.mismatch, base_.prospect.rank);
  result.posterior = posterior_of(problem_, here.parameters, base_.model, base_.prospect.step, false);
}

void Search::show_progress() const {
  if (!observer_) return;
  Calibration so_far = result_;
  so_far.status = Status::running;
  so_far.explanation = "The search is under way.";
  constexpr Eigen::Index most = 200;  // above it, computing the errors of the parameters takes as long as a step
  if (base_.model.parameters() <= most) take_answer(so_far);
  observer_(so_far);
}

}  // namespace gfdt::calibrate

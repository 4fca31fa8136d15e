#include "gfdt/calibrate/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gfdt/calibrate/posterior_of.hpp"
#include "gfdt/calibrate/stage_seed.hpp"

namespace gfdt::calibrate {
namespace {

/// Variances of the simulation below this share of the targets' do not matter.
constexpr double negligible_noise = 0.04;

}  // namespace

using Eigen::MatrixXd;

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
  if (result_.parameters.empty() && base_.model.parameters() > 0) take_answer(result_);
}

bool Search::long_enough() const { return base_iteration().length >= problem_.length || noise_is_in_targets(); }

bool Search::noise_is_in_targets() const {
  const std::vector<double>&of_model = base_iteration().evaluation.mean_covariance,
        &of_targets = problem_.targets.covariance;
  const std::size_t count = problem_.targets.size();
  if (of_model.size() != of_targets.size()) return false;
  for (std::size_t m = 0; m < count; ++m)
    if (of_model[m * (count + 1)] > negligible_noise * of_targets[m * (count + 1)]) return false;
  return true;
}

bool Search::below_tolerance() const {
  return options_.tolerance && base_iteration().mismatch.norm < *options_.tolerance;
}

bool Search::nothing_to_gain() const {
  return options_.until_noise &&
         base_.prospect.nothing_to_gain(solve_step(base_.model, 0, region_.radius()).restricted);
}

double Search::expected_cost(Purpose purpose, double length) const {
  if (const double known = cost_[static_cast<std::size_t>(purpose)]; known > 0) return known * length;
  double least = 0;
  for (const double cost : cost_)
    if (cost > 0 && (least == 0 || cost < least)) least = cost;
  return least * length;
}

Evaluation Search::evaluate(Purpose purpose, const std::vector<double>& parameters, double length,
                            const response::Wanted& wanted) {
  if (const double cost = expected_cost(purpose, length);
      options_.simulated_time && result_.simulated_time + cost > *options_.simulated_time) {
    end(Status::simulated_time,
        fmt::format(
            "Of the budget of {:g} units of simulated time {:.3g} are left, and the next run takes about {:.3g}.",
            *options_.simulated_time, std::max(0.0, *options_.simulated_time - result_.simulated_time), cost));
    return {};
  }
  Request request{purpose, parameters, length, stage_seed(problem_.seed, stage_++), {}, wanted};
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

/// A run that cannot be used because it is short is made again at full length.
bool Search::add_iteration(const std::vector<double>& parameters, double length, const response::Wanted& wanted) {
  Evaluation evaluation = evaluate(Purpose::jacobian, parameters, length, wanted);
  std::vector<std::string> remarks;
  if (!done() && !evaluation.usable() && length < problem_.length) {
    remarks.push_back(
        fmt::format("At length {:g}: {} The run was made again at full length.", length, evaluation.problem));
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

void Search::move_to_last() {
  base_.iteration = result_.iterations.size() - 1;
  Iteration& here = base_iteration();
  base_.model = linear_model(problem_, here.parameters, here.evaluation, here.mismatch, options_);
  base_.model.trust_floor = trust_floor_;
  trust_floor_ = trust_scale(base_.model);
  base_.prospect = prospect(base_.model, options_.confidence);
  here.condition = scaled_condition(base_.model);
  setbacks_ = 0;
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
  if (long_enough() && nothing_to_gain()) {
    if (!prospect.reachable) {
      end(Status::unreachable,
          fmt::format("No step from here helps, and the mismatch is beyond noise: χ² = {:.1f} with {:g} degrees of "
                      "freedom is left. No parameters near these have the statistics that are asked for.",
                      prospect.remaining, prospect.degrees_of_freedom));
      return;
    }
    if (confirm()) return;
  }
  if (steps_ >= options_.iterations)
    end(Status::iterations,
        fmt::format("{}; more were not allowed.",
                    steps_ == 1 ? "One iteration was made" : fmt::format("{} iterations were made", steps_)));
}

bool Search::confirm() {
  const Iteration& here = base_iteration();
  const Step last = solve_step(base_.model, 0, region_.radius());
  if (last.restricted || share_within_bounds(last.change) < 1) {
    // What is not known well enough to step along is left where it is.
    if (here.mismatch.tail >= beyond_noise)
      end(Status::within_noise, "What is left of the mismatch cannot be told from noise.");
    else
      end(Status::unreachable,
          fmt::format("No step from here is known to help, and the mismatch is beyond noise: χ² = {:.1f} with {} "
                      "targets.",
                      here.mismatch.chi_square, problem_.targets.size()));
    return true;
  }
  const std::vector<double> answer = moved(here.parameters, last.change);
  Evaluation there = evaluate(Purpose::statistics, answer, noise_is_in_targets() ? here.length : problem_.length);
  if (done()) return true;
  if (!there.usable()) {
    end(Status::within_noise,
        fmt::format(
            "What is left of the mismatch cannot be told from noise. A last step was not taken, since there: {}",
            there.problem));
    return true;
  }
  // The answer carries the noise of the run that it was found by, besides that of the run which confirms it.
  const LinearModel& model = base_.model;
  const MatrixXd gain =
      model.jacobian * pseudo_inverse(model.information()) * model.jacobian.transpose() * model.weights;
  Evaluation wider = there;
  wider.mean_covariance = values_of(matrix_of(there.mean_covariance, problem_.targets.size()) +
                                    gain * model.simulation_noise * gain.transpose());
  Mismatch found = mismatch(wider, problem_.targets);
  if (found.tail < beyond_noise) {
    base_iteration().remarks.push_back(
        fmt::format("A run at the answer was {:.1f} in χ² from its targets, more than noise makes: the search goes on.",
                    found.chi_square));
    return false;
  }
  result_.parameters = answer;
  result_.statistics = there.statistics;
  result_.mismatch = std::move(found);
  result_.insight = here.evaluation.insight;
  result_.posterior = posterior_of(problem_, here.parameters, model, last.change, true);
  end(Status::within_noise,
      fmt::format("What is left of the mismatch cannot be told from noise: χ² = {:.1f} with {} target{}.",
                  result_.mismatch.chi_square, problem_.targets.size(), problem_.targets.size() == 1 ? "" : "s"));
  return true;
}

void Search::take_answer(Calibration& result) const {
  const Iteration& here = base_iteration();
  result.parameters = here.parameters;
  result.statistics = here.evaluation.statistics;
  result.mismatch = here.mismatch;
  result.insight = here.evaluation.insight;
  result.posterior = posterior_of(problem_, here.parameters, base_.model, base_.prospect.step, false);
}

void Search::show_progress() const {
  if (!observer_) return;
  Calibration so_far = result_;
  so_far.status = Status::running;
  so_far.explanation = "The search is under way.";
  constexpr Eigen::Index most = 200;  // beyond, the errors of parameters take as long as a step
  if (base_.model.parameters() <= most) take_answer(so_far);
  observer_(so_far);
}

}  // namespace gfdt::calibrate

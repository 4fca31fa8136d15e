#include "gfdt/calibrate/ensemble_kalman/ensemble_kalman.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/calibrate/ensemble_kalman/data_misfit_step.hpp"
#include "gfdt/calibrate/ensemble_kalman/first_ensemble.hpp"
#include "gfdt/calibrate/ensemble_kalman/kalman_update.hpp"
#include "gfdt/calibrate/search/convergence.hpp"
#include "gfdt/calibrate/search/linear_model.hpp"
#include "gfdt/calibrate/search/stage_seed.hpp"
#include "gfdt/parallel/ranks.hpp"

namespace gfdt::calibrate {
namespace {

/// Random streams for the ensemble itself; the seeds of runs come from other stages.
codegen::Stream draws(const Problem& problem, std::uint32_t number) {
  return {stage_seed(problem.seed, ~std::uint64_t{0}), codegen::Purpose::sampling, number};
}

void require_sense(const Problem& problem, const Options& options) {
  std::string wrong = options.problem();
  if (wrong.empty()) wrong = problem.targets.problem();
  if (wrong.empty() && problem.parameters.empty()) wrong = "There is no free parameter to be found.";
  if (wrong.empty() && !(problem.length > 0 && std::isfinite(problem.length)))
    wrong = fmt::format("The length of the runs is {}; it must be positive.", problem.length);
  for (const FreeParameter& parameter : problem.parameters)
    if (wrong.empty()) wrong = parameter.problem();
  if (!wrong.empty()) throw Error(wrong);
}

class Inversion {
 public:
  Inversion(const Problem& problem, const Options& options, Evaluator& evaluator, const simulate::Control& control,
            const Observer& observer)
      : problem_(problem), options_(options), evaluator_(evaluator), control_(control), observer_(observer) {
    for (const std::vector<double>& natural : first_ensemble(problem.parameters, options, draws(problem, 0)))
      ensemble_.push_back(eta(natural));
  }

  Calibration run() {
    end(Status::running, "The search is under way.");
    while (true) {
      if (!evaluate_mean() || finished()) break;
      if (!update()) break;
    }
    close();
    return std::move(result_);
  }

 private:
  std::vector<double> eta(const std::vector<double>& natural) const {
    std::vector<double> coordinates(natural.size());
    for (std::size_t j = 0; j < natural.size(); ++j) coordinates[j] = problem_.parameters[j].coordinate(natural[j]);
    return coordinates;
  }
  std::vector<double> natural(const std::vector<double>& coordinates) const {
    std::vector<double> values(coordinates.size());
    for (std::size_t j = 0; j < values.size(); ++j) values[j] = problem_.parameters[j].natural(coordinates[j]);
    return values;
  }
  void end(Status status, std::string explanation) {
    result_.status = status;
    result_.explanation = std::move(explanation);
  }
  bool within_noise(const Mismatch& found) const { return found.tail > 1 - options_.confidence; }
  /// Whether the targets are within the spread of the ensemble, even if its mean does not match them.
  bool within_spread(const Iteration& at_mean) const {
    Evaluation wider = at_mean.evaluation;
    for (std::size_t k = 0; k < output_spread_.size(); ++k) wider.mean_covariance[k] += output_spread_[k];
    return within_noise(mismatch(wider, problem_.targets));
  }
  std::uint32_t updates() const { return static_cast<std::uint32_t>(result_.iterations.size()) - 1; }

  /// Run number 0 of an iteration is the run at the mean.
  Request request(const std::vector<double>& values, double length, std::size_t iteration, std::size_t number) const {
    return {.purpose = Request::Purpose::statistics,
            .parameters = values,
            .length = length,
            .seed = stage_seed(stage_seed(problem_.seed, iteration), number)};
  }
  /// Adds the cost of an evaluation to the result.
  Evaluation counted(Evaluation evaluation) {
    result_.simulated_time += evaluation.simulated_time;
    result_.wall_seconds += evaluation.wall_seconds;
    if (control_.cancellation != nullptr && control_.cancellation->requested()) evaluation.cancelled = true;
    return evaluation;
  }

  bool evaluate_mean();
  bool finished();
  bool update();
  void close();

  const Problem& problem_;
  const Options& options_;
  Evaluator& evaluator_;
  const simulate::Control& control_;
  const Observer& observer_;
  Members ensemble_;                   ///< in the coordinates η
  std::vector<double> output_spread_;  ///< covariance of the ensemble's statistics, as predicted by the last update
  double reached_ = 0;
  double cost_of_update_ = 0;  ///< simulated time
  Calibration result_;
};

/// Appends an iteration with the evaluation at the mean; returns false if it was interrupted.
bool Inversion::evaluate_mean() {
  Iteration iteration;
  iteration.parameters = natural(mean_of(ensemble_));
  iteration.length = problem_.length;
  iteration.evaluation = counted(
      evaluator_.evaluate(request(iteration.parameters, problem_.length, result_.iterations.size(), 0), control_));
  iteration.spent = result_.simulated_time;
  iteration.evaluation.scores.clear();
  if (iteration.evaluation.cancelled) {
    end(Status::interrupted, "The search was stopped from outside.");
    return false;
  }
  if (iteration.evaluation.usable())
    iteration.mismatch = mismatch(iteration.evaluation, problem_.targets);
  else
    iteration.remarks.push_back(
        fmt::format("The model could not be evaluated at the mean of the ensemble: {}", iteration.evaluation.problem));
  if (!result_.iterations.empty()) {
    Iteration& before = result_.iterations.back();
    before.step = iteration.parameters;
    for (std::size_t j = 0; j < before.step.size(); ++j) before.step[j] -= before.parameters[j];
  }
  cost_of_update_ = std::max(cost_of_update_, iteration.evaluation.simulated_time *
                                                  (1 + options_.first_length * static_cast<double>(ensemble_.size())));
  result_.iterations.push_back(std::move(iteration));
  if (observer_) observer_(result_);
  return true;
}

/// Whether the search ends at the mean evaluated last; if so, sets the status and its explanation.
bool Inversion::finished() {
  const Iteration& last = result_.iterations.back();
  const bool seen = last.evaluation.usable();
  const std::string wider = fmt::format(
      " The ensemble has come {:.0f} % of the way from the prior to the posterior, so that its spread is wider than "
      "the posterior.",
      100 * reached_);
  if (seen && options_.tolerance && last.mismatch.norm < *options_.tolerance) {
    end(Status::tolerance, fmt::format("The norm of the mismatch, {:.3g}, is below the tolerance.{}",
                                       last.mismatch.norm, reached_ < 1 ? wider : ""));
    return true;
  }
  if (seen && !options_.ensemble_to_posterior && last.mismatch.tail >= rejection_level) {
    end(Status::within_noise, "Noise explains the mismatch at the mean of the ensemble." + wider);
    return true;
  }
  if (reached_ >= 1) {
    if (!seen)
      end(Status::failed, fmt::format("The model could not be evaluated at the mean of the last ensemble: {}",
                                      last.evaluation.problem));
    else if (within_noise(last.mismatch))
      end(Status::within_noise,
          fmt::format("The residual mismatch is compatible with noise: chi-square {:.3g} for {} targets.",
                      last.mismatch.chi_square, problem_.targets.size()));
    else if (within_spread(last))
      end(Status::iterations,
          fmt::format(
              "All steps are taken. The mismatch at the mean of the ensemble is beyond noise, chi-square {:.3g} "
              "for {} targets, but within the spread of the ensemble: longer runs of the members "
              "(first_length), wider priors or a larger ensemble come closer.",
              last.mismatch.chi_square, problem_.targets.size()));
    else
      end(Status::unreachable,
          fmt::format("The ensemble has come to its posterior, and the mismatch there is beyond noise: chi-square "
                      "{:.3g} for {} targets. Other parameters, wider priors or a larger ensemble may reach them.",
                      last.mismatch.chi_square, problem_.targets.size()));
    return true;
  }
  constexpr std::uint32_t patience = 3;
  constexpr double least_progress = 1e-3;
  if (!options_.ensemble_to_posterior && updates() >= patience && reached_ < least_progress) {
    end(Status::iterations, "The targets are too precise for the spread of this ensemble." + wider);
    return true;
  }
  if (static_cast<int>(updates()) >= options_.iterations) {
    end(Status::iterations, fmt::format("{} updates were allowed.{}", options_.iterations, wider));
    return true;
  }
  if (options_.simulated_time && result_.simulated_time + cost_of_update_ > *options_.simulated_time) {
    end(Status::simulated_time,
        fmt::format("Of the simulated time {:g} is left, and an update of the ensemble takes about {:.3g}.{}",
                    std::max(0.0, *options_.simulated_time - result_.simulated_time), cost_of_update_, wider));
    return true;
  }
  return false;
}

/// One step of the ensemble; returns false if it could not be taken.
bool Inversion::update() {
  const std::size_t q = problem_.targets.size(), number = result_.iterations.size() - 1;
  const double before = result_.simulated_time;
  Members sound, outputs;
  std::vector<double> misfits, simulation(q * q, 0.0);
  std::string failure;
  std::vector<Evaluation> answers;
  for (std::size_t i = 0; i < ensemble_.size(); ++i) {
    // As many runs at the same time as there are ranks.
    const std::size_t wave = static_cast<std::size_t>(ranks::count());
    if (i % wave == 0) {
      std::vector<Request> requests;
      for (std::size_t k = i; k < std::min(i + wave, ensemble_.size()); ++k)
        requests.push_back(request(natural(ensemble_[k]), options_.first_length * problem_.length, number, k + 1));
      answers = evaluator_.evaluate_all(requests, control_);
    }
    const Evaluation evaluation = counted(std::move(answers[i % wave]));
    if (evaluation.cancelled) {
      end(Status::interrupted, "The search was stopped from outside.");
      return false;
    }
    if (!evaluation.usable()) {
      failure = evaluation.problem;
      continue;
    }
    const Mismatch found = mismatch(evaluation, problem_.targets);
    if (!std::isfinite(found.chi_square)) {
      failure = "A statistic is not a finite number.";
      continue;
    }
    misfits.push_back(found.chi_square / 2);
    sound.push_back(ensemble_[i]);
    outputs.emplace_back();
    for (const statistics::Average& average : evaluation.statistics) outputs.back().push_back(average.mean);
    for (std::size_t k = 0; k < q * q; ++k) simulation[k] += evaluation.mean_covariance[k];
  }
  Iteration& iteration = result_.iterations.back();
  const std::size_t failed = ensemble_.size() - sound.size();
  if (failed > 0)
    iteration.remarks.push_back(fmt::format(
        "{} of {} members could not be evaluated and were replaced by draws from the others; the last of them: {}",
        failed, ensemble_.size(), failure));
  if (2 * failed > ensemble_.size() || sound.size() < 3) {
    end(Status::failed, fmt::format("{} of the {} members of the ensemble could not be evaluated: {}", failed,
                                    ensemble_.size(), failure));
    return false;
  }

  const double left = 1 - reached_;
  const double step = data_misfit_step(misfits, q, left);
  const double alpha = 1 / step;
  iteration.damping = alpha;
  reached_ = step == left ? 1 : reached_ + step;
  iteration.remarks.push_back(fmt::format("Step {:.3g}, {:.3g} of 1 in all.", step, reached_));
  // The noise of a step is α (C_t + C_s); the output of each member already contains its own C_s.
  std::vector<double> perturbation(q * q);
  for (std::size_t k = 0; k < q * q; ++k)
    perturbation[k] =
        alpha * problem_.targets.covariance[k] + (alpha - 1) * simulation[k] / static_cast<double>(sound.size());
  ensemble_ = kalman_update(sound, outputs, problem_.targets.value, perturbation, draws(problem_, 2 * updates() + 1));
  const Members predicted =
      kalman_update(outputs, outputs, problem_.targets.value, perturbation, draws(problem_, 2 * updates() + 1));
  output_spread_ = covariance_of(predicted);
  iteration.predicted = mean_of(predicted);
  const std::vector<double> now = mean_of(outputs);
  for (std::size_t m = 0; m < q; ++m) iteration.predicted[m] -= now[m];
  const Members updated = ensemble_;
  for (std::size_t i = 0; i < failed; ++i)
    ensemble_.push_back(draw_like(updated, draws(problem_, 2 * updates() + 2), i * updated.size()));
  cost_of_update_ = std::max(cost_of_update_, result_.simulated_time - before + iteration.evaluation.simulated_time);
  return true;
}

/// The answer is the mean evaluated last, with the spread of the last ensemble.
void Inversion::close() {
  result_.parameters = natural(mean_of(ensemble_));
  for (const Iteration& iteration : result_.iterations) {
    result_.parameters = iteration.parameters;
    result_.mismatch = iteration.mismatch;
    result_.statistics = iteration.evaluation.statistics;
  }
  Members spread;
  for (const std::vector<double>& member : ensemble_) spread.push_back(natural(member));
  const std::size_t p = problem_.parameters.size();
  Posterior& posterior = result_.posterior;
  posterior.covariance = covariance_of(spread);
  posterior.precision = values_of(pseudo_inverse(matrix_of(posterior.covariance, p)));
  posterior.degrees_of_freedom = static_cast<double>(spread.size() - 1);
  for (std::size_t j = 0; j < p; ++j) posterior.standard_error.push_back(std::sqrt(posterior.covariance[j * p + j]));
  for (std::size_t i = 0; i < p; ++i)
    for (std::size_t j = 0; j < p; ++j)
      posterior.correlation.push_back(posterior.covariance[i * p + j] /
                                      (posterior.standard_error[i] * posterior.standard_error[j]));
}

}  // namespace

Calibration ensemble_kalman(const Problem& problem, const Options& options, Evaluator& evaluator,
                            const simulate::Control& control, const Observer& observer) {
  require_sense(problem, options);
  return Inversion(problem, options, evaluator, control, observer).run();
}

}  // namespace gfdt::calibrate

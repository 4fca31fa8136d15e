#include "gfdt/calibrate/posterior/forecast.hpp"

#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/calibrate/posterior/posterior_of.hpp"
#include "gfdt/calibrate/search/convergence.hpp"
#include "gfdt/calibrate/search/run_length.hpp"
#include "gfdt/calibrate/search/stage_seed.hpp"

namespace gfdt::calibrate {
namespace {

/// Expected ratio of the mismatches after and before a step.
constexpr double left_by_per_step = 0.2;

/// Expected lengths of the runs until the remaining step is negligible in a run of sufficient length.
std::vector<double> lengths(const Problem& problem, const Options& options, double first, Prospect found) {
  std::vector<double> result{first};
  double length = first;
  const double last = std::min(problem.length, found.sufficient_length(first));
  while (static_cast<int>(result.size()) <= options.iterations && (length < last || !found.at_minimum())) {
    const double next = found.at_minimum() ? last : next_length(length, problem.length, found.significance);
    found.significance *= left_by_per_step * left_by_per_step * next / length;
    found.remaining *= left_by_per_step;
    length = next;
    result.push_back(length);
  }
  return result;
}

}  // namespace

Forecast forecast(const Problem& problem, const Options& options, Evaluator& evaluator,
                  const simulate::Control& control) {
  if (const std::string why = problem.problem(); !why.empty()) throw Error(why);
  if (const std::string why = options.problem(); !why.empty()) throw Error(why);
  Forecast result;
  Iteration& guess = result.guess;
  for (const FreeParameter& parameter : problem.parameters) guess.parameters.push_back(parameter.value);
  guess.length = options.first_length * problem.length;
  const auto evaluate = [&] {
    guess.evaluation = evaluator.evaluate(
        {Request::Purpose::jacobian, guess.parameters, guess.length, stage_seed(problem.seed, 0), {}}, control);
  };
  evaluate();
  if (!guess.evaluation.usable() && !guess.evaluation.cancelled && guess.length < problem.length) {
    guess.length = problem.length;
    evaluate();
  }
  if (!guess.evaluation.usable()) {
    result.problem = guess.evaluation.cancelled ? "Stopped from outside." : guess.evaluation.problem;
    return result;
  }
  guess.mismatch = mismatch(guess.evaluation, problem.targets);
  const LinearModel model = linear_model(problem, guess.parameters, guess.evaluation, guess.mismatch, options);
  const bool restricted = options.algorithm == Algorithm::levenberg_marquardt;
  const Prospect found = prospect(model);
  const Step step = restricted && !found.directions.empty()
                        ? solve_step(model, found.directions, options.tikhonov, options.trust_radius)
                        : solve_step(model, options.tikhonov);
  guess.condition = scaled_condition(model);
  guess.damping = step.damping;
  guess.trust_radius = options.trust_radius;
  guess.predicted = values_of(model.jacobian * step.change);
  for (std::size_t j = 0; j < guess.parameters.size(); ++j) {
    const FreeParameter& parameter = problem.parameters[j];
    const double there =
        parameter.natural(parameter.coordinate(guess.parameters[j]) + step.change(static_cast<Eigen::Index>(j)));
    guess.step.push_back(there - guess.parameters[j]);
  }
  result.posterior = posterior_of(problem, guess.parameters, model, Eigen::VectorXd::Zero(model.parameters()), true);
  for (const double length : lengths(problem, options, guess.length, found)) {
    ++result.evaluations;
    result.simulated_time += guess.evaluation.simulated_time * length / guess.length;
    result.wall_seconds += guess.evaluation.wall_seconds * length / guess.length;
  }
  return result;
}

}  // namespace gfdt::calibrate

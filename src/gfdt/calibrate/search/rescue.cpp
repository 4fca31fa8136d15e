#include "gfdt/calibrate/search/rescue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gfdt/calibrate/ensemble_kalman/ensemble_kalman.hpp"
#include "gfdt/calibrate/search/search.hpp"

namespace gfdt::calibrate {
namespace {

/// The iterations and costs of both, with the answer of the second.
Calibration appended(const Calibration& first, Calibration second) {
  second.iterations.insert(second.iterations.begin(), first.iterations.begin(), first.iterations.end());
  for (std::size_t i = first.iterations.size(); i < second.iterations.size(); ++i)
    second.iterations[i].spent += first.simulated_time;
  second.simulated_time += first.simulated_time;
  second.wall_seconds += first.wall_seconds;
  return second;
}

Problem starting_at(Problem problem, const std::vector<double>& parameters) {
  for (std::size_t j = 0; j < parameters.size(); ++j) problem.parameters[j].value = parameters[j];
  return problem;
}

/// χ² of targets and priors; infinite if there is no answer.
double misfit(const Problem& problem, const Calibration& calibration) {
  if (calibration.parameters.empty() || calibration.mismatch.residual.empty())
    return std::numeric_limits<double>::infinity();
  return goodness_of_fit(problem.parameters, calibration.parameters, calibration.mismatch, 0).chi_square;
}

}  // namespace

std::optional<Options> Rescue::remaining(const Calibration& so_far) const {
  Options options = options_;
  options.ensemble_to_posterior = false;  // the second search computes the posterior
  if (!options.simulated_time) return options;
  *options.simulated_time -= so_far.simulated_time;
  // The first run is one of full length.
  double cost = 0;
  for (const Iteration& iteration : so_far.iterations)
    cost = std::max(cost, iteration.evaluation.simulated_time * problem_.length / iteration.length);
  return *options.simulated_time > cost ? std::optional(options) : std::nullopt;
}

Observer Rescue::following(const Calibration& before) const {
  if (!observer_) return {};
  return [this, &before](const Calibration& so_far) { observer_(appended(before, so_far)); };
}

Calibration Rescue::run(Calibration stuck) {
  const std::optional<Options> options = remaining(stuck);
  if (!options) return stuck;
  if (!stuck.iterations.empty())
    stuck.iterations.back().remarks.push_back(
        fmt::format("{} Ensemble Kalman inversion follows, which needs no Jacobian.", stuck.explanation));
  const auto with_answer_of = [](const Calibration& better, Calibration last) {
    Calibration kept = better;
    kept.iterations = std::move(last.iterations);
    kept.simulated_time = last.simulated_time;
    kept.wall_seconds = last.wall_seconds;
    return kept;
  };
  // The earlier answer stays if the later search has none or a worse one.
  const auto better_of = [&](const Calibration& earlier, Calibration later) {
    if (later.status == Status::interrupted || misfit(problem_, later) < misfit(problem_, earlier)) return later;
    return with_answer_of(earlier, std::move(later));
  };
  const Problem from_here = starting_at(problem_, stuck.parameters);
  Calibration ensemble = appended(stuck, ensemble_kalman(from_here, *options, evaluator_, control_, following(stuck)));
  if (ensemble.status == Status::interrupted || ensemble.status == Status::tolerance || ensemble.parameters.empty())
    return better_of(stuck, std::move(ensemble));
  // A fit at the mean of an ensemble need not be the minimum; the search that follows decides.
  const std::optional<Options> left = remaining(ensemble);
  if (!left) {
    ensemble.status = Status::simulated_time;
    ensemble.explanation = "No simulated time is left for a search from the mean of the ensemble.";
    return better_of(stuck, std::move(ensemble));
  }
  Calibration second = appended(
      ensemble,
      Search(starting_at(problem_, ensemble.parameters), *left, evaluator_, control_, following(ensemble)).run());
  if (second.status == Status::interrupted || has_answer(second.status)) return second;
  ensemble.status = second.status;
  ensemble.explanation = second.explanation;
  return better_of(stuck, better_of(ensemble, std::move(second)));
}

}  // namespace gfdt::calibrate

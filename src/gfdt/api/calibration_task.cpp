#include "gfdt/api/calibration_task.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gfdt/api/jacobian_task.hpp"
#include "gfdt/api/simulation_task.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/base/nearest.hpp"
#include "gfdt/calibrate/search/time_step.hpp"
#include "gfdt/calibrate/targets/impossible_targets.hpp"
#include "gfdt/control_variate/controlled_statistics.hpp"
#include "gfdt/control_variate/fit/residuals.hpp"
#include "gfdt/problem/external_simulator.hpp"
#include "gfdt/problem/provenance_of.hpp"
#include "gfdt/problem/resolve_targets.hpp"
#include "gfdt/results/json/calibration_json.hpp"
#include "gfdt/results/run_folder/remembering_evaluator.hpp"
#include "gfdt/results/run_folder/run_folder.hpp"
#include "gfdt/results/run_folder/run_identity.hpp"
#include "gfdt/statistics/checks/metastability.hpp"

namespace gfdt::api {
namespace {

using calibrate::Algorithm;
using jacobian::Method;

/// The model with only those observables that have targets, in their order.
symbolic::Model with_targets_only(symbolic::Model model, const calibrate::Targets& targets) {
  std::vector<symbolic::Observable> kept;
  for (const std::string& name : targets.observables)
    kept.push_back(*std::ranges::find(model.observables, name, &symbolic::Observable::name));
  model.observables = std::move(kept);
  return model;
}

}  // namespace

CalibrationMethod calibration_method(const std::string& name) {
  CalibrationMethod method{.name = name};
  if (name == calibrate::name(Algorithm::ensemble_kalman)) {
    method.algorithm = Algorithm::ensemble_kalman;
  } else if (const auto response = jacobian::method_named(name)) {
    method.response = response;
    // With `auto` the score method is automatic too, even if the problem names one.
    if (*response == Method::automatic) method.score = score::Method::automatic;
  } else if (const auto score = score::method_named(name)) {
    method.score = score;
    method.response = Method::gfdt;
  } else {
    std::vector<std::string> known = jacobian_method_names();
    known.emplace_back(calibrate::name(Algorithm::ensemble_kalman));
    throw Error(fmt::format("'{}' is no method to calibrate with ({}).{}", name, fmt::join(known, ", "),
                            suggestion(name, known)));
  }
  return method;
}

CalibrationMethod calibration_method(const problem::Problem& problem) {
  if (problem.calibration.algorithm == Algorithm::ensemble_kalman)
    return {.name = calibrate::name(problem.calibration.algorithm)};
  return {.name = jacobian_method(problem, {}, {}).name};
}

CalibrationTask calibration_task(const problem::Problem& problem, const calibrate::Targets& targets,
                                 const CalibrationMethod& method) {
  CalibrationTask task{method.name, problem, {}, {}};
  problem::Problem& own = task.problem;
  if (own.model.time_state)
    throw Error(
        "Models that depend on time cannot be calibrated: Jacobians of their long-run averages are not supported.");
  if (method.score) own.score.method = *method.score;
  if (method.response) own.response.method = *method.response;
  if (method.algorithm) own.calibration.algorithm = *method.algorithm;
  if (own.command && own.response.method == Method::finite_difference &&
      own.calibration.algorithm != Algorithm::ensemble_kalman)
    throw Error(
        "Finite differences need runs with the same random numbers, and a simulator of your own is not known to have "
        "them: use a score, or ensemble-kalman.");
  if (own.command && own.response.method == Method::likelihood_ratio &&
      own.calibration.algorithm != Algorithm::ensemble_kalman)
    throw Error(
        "Likelihood ratios need the noise that drove a run, which a simulator of your own does not tell: use a score, "
        "or ensemble-kalman.");
  problem::Problem settled = own;
  settle_burn_in(settled);
  task.asked = {problem::free_parameters(own), targets, own.simulation.length, own.simulation.seed};
  if (const std::string why = task.asked.problem(); !why.empty()) throw Error(why);
  std::vector<std::string> names;
  for (const calibrate::FreeParameter& parameter : task.asked.parameters) names.push_back(parameter.name);
  if (const std::string why = calibrate::impossible_target(own.model, targets, {names.begin(), names.end()});
      !why.empty())
    throw Error(why);
  task.experiment = {.model = with_targets_only(own.model, targets),
                     .parameters = std::move(names),
                     .simulation = settled.simulation,
                     .score = own.score,
                     .response = own.response,
                     .observable_covariance = own.calibration.weights == calibrate::Weighting::covariance,
                     .source = {}};
  if (own.command) {
    const std::filesystem::path folder = std::filesystem::path(own.file).parent_path();
    task.experiment.source = [command = *own.command, folder](const symbolic::Model& model,
                                                              const simulate::Options& options,
                                                              const simulate::Control& control) {
      return problem::run_external(command, model, options, folder, control);
    };
    own.calibration.first_length = 1;
  }
  return task;
}

std::vector<std::string> cautions(const CalibrationTask& task) {
  std::vector<std::string> result = task.asked.targets.remarks;
  const std::size_t targets = task.asked.targets.size(), parameters = task.asked.parameters.size();
  const auto priors = std::ranges::count_if(task.asked.parameters, [](const auto& p) { return p.prior.has_value(); });
  if (targets + static_cast<std::size_t>(priors) < parameters)
    result.push_back(
        fmt::format("Fewer targets ({}) than parameters ({}): some combinations stay where they are, or where priors "
                    "([calibration.priors]) put them, and have no error bars.",
                    targets, parameters));
  return result;
}

namespace {

/// Adds warnings to the last accepted iteration that require further runs of the calibrated model: metastable states
/// that none of the runs may have visited, and the bias of the time step.
void examine_answer(const CalibrationTask& task, const calibrate::ResponseEvaluator& evaluator,
                    calibrate::Calibration& calibration, const simulate::Control& control) {
  auto& iterations = calibration.iterations;
  const auto last = std::find_if(iterations.rbegin(), iterations.rend(), [](const auto& i) { return i.accepted; });
  if (task.problem.command || !calibrate::has_answer(calibration.status) || last == iterations.rend()) return;
  const symbolic::Model model = evaluator.model_at(calibration.parameters);
  const simulate::Options& options = task.experiment.simulation;
  const simulate::Control quiet{{}, control.cancellation};
  const auto add = [&](const Diagnostic& diagnostic) {
    if (!diagnostic.passed())
      last->evaluation.warnings.push_back(fmt::format("{}: {}{}{}", name(diagnostic.check), diagnostic.text,
                                                      diagnostic.remedy.empty() ? "" : " ", diagnostic.remedy));
  };
  const statistics::PilotRun pilot = statistics::pilot_run(model, options, statistics::pilot_work, quiet);
  add(statistics::metastability(model, options, pilot, control));
  const bool controlled = task.problem.response.control_variate.value_or(true);
  const control_variate::ControlledStatistics run = control_variate::controlled_statistics(
      model, simulate::ModelSource(model, options), {.wanted = controlled}, {}, quiet);
  if (!run.run.usable()) return;
  const control_variate::ControlVariate* const fit = run.control ? &*run.control : nullptr;
  const std::vector<statistics::Average>& averages = run.run.observables;
  const statistics::TimeStepBias bias = control_variate::time_step_bias(model, options, averages, fit, {}, quiet);
  add(calibrate::judge_time_step(bias, options, averages, calibration.mismatch));
}

}  // namespace

calibrate::Calibration run(const CalibrationTask& task, const results::RunFolder* folder,
                           const simulate::Control& control, const calibrate::Observer& observer) {
  calibrate::ResponseEvaluator evaluator(task.experiment);
  const auto search = [&](calibrate::Evaluator& by) {
    return calibrate::calibrate(task.asked, task.problem.calibration, by, control, observer);
  };
  calibrate::Calibration result;
  if (folder) {
    results::RememberingEvaluator remembering(evaluator, *folder, task.experiment.model, task.experiment.parameters);
    result = search(remembering);
  } else {
    result = search(evaluator);
  }
  examine_answer(task, evaluator, result, control);
  return result;
}

calibrate::Predictive predict(const CalibrationTask& task, const calibrate::Calibration& calibration,
                              const simulate::Control& control) {
  calibrate::Predictive none;
  if (task.problem.command) {
    none.problem = "A simulator of your own is not run for it.";
    return none;
  }
  const std::optional<calibrate::Record> record = problem::measured_record(task.problem);
  return calibrate::predictive({.model = task.experiment.model,
                                .problem = task.asked,
                                .calibration = calibration,
                                .simulation = task.experiment.simulation,
                                .record = record ? &*record : nullptr,
                                .draws = task.problem.calibration.predictive_draws},
                               control);
}

results::RunDescription description_of(const CalibrationTask& task, const std::string& command_line) {
  // The targets represent the data or the run from which they were computed.
  return {
      results::run_identity(task.problem, {{"method", task.name}, {"targets", results::to_json(task.asked.targets)}}),
      problem::provenance_of(task.problem, command_line)};
}

std::optional<double> time_to_noise(const calibrate::Calibration& calibration, const calibrate::Problem& problem,
                                    double confidence) {
  for (const calibrate::Iteration& iteration : calibration.iterations)
    if (iteration.evaluation.usable() && iteration.length >= problem.length &&
        iteration.mismatch.tail >= 1 - confidence)
      return iteration.spent;
  const bool at_the_end = !calibration.parameters.empty() && calibration.mismatch.tail >= 1 - confidence;
  return at_the_end ? std::optional(calibration.simulated_time) : std::nullopt;
}

bool ended_as_requested(const calibrate::Calibration& calibration, const calibrate::Options& options) {
  return calibrate::has_answer(calibration.status) ||
         (calibration.status == calibrate::Status::iterations && !options.until_noise && !options.tolerance);
}

}  // namespace gfdt::api

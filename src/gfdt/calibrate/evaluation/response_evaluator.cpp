#include "gfdt/calibrate/evaluation/response_evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/base/stopwatch.hpp"
#include "gfdt/calibrate/targets/observable_covariance.hpp"
#include "gfdt/control_variate/controlled_statistics.hpp"
#include "gfdt/jacobian/estimate.hpp"
#include "gfdt/jacobian/finite_difference/finite_difference.hpp"
#include "gfdt/jacobian/selection/automatic_jacobian.hpp"
#include "gfdt/parallel/ranks.hpp"
#include "gfdt/parallel/spread.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::calibrate {
namespace {

using jacobian::Jacobian;
using statistics::EnsembleStatistics;

/// Iterations use a cheap certificate; 'gfdt score' at the answer performs the full one.
constexpr double certificate_effort = 0.1;

/// The accuracy required of a Jacobian. Steps are damped according to the errors of columns and are corrected by the
/// next iteration, so that these errors need not be small. Runs at perturbed parameters cost many times a short run and
/// contribute little more than the longer run that follows.
jacobian::AccuracyThresholds enough_for(const Request& request, bool full_length) {
  if (request.precise) return {};
  return {.of_leading_terms = full_length ? 0.12 : 0.2,
          .of_one_run = full_length ? 0.3 : std::numeric_limits<double>::infinity()};
}

std::string first_failure(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.verdict == Verdict::failed)
      return diagnostic.remedy.empty() ? diagnostic.text : fmt::format("{} {}", diagnostic.text, diagnostic.remedy);
  return {};
}

void take_warnings(const std::vector<Diagnostic>& diagnostics, Evaluation& evaluation) {
  for (const Diagnostic& diagnostic : diagnostics)
    if (!diagnostic.passed())
      evaluation.warnings.push_back(fmt::format("{}: {}", name(diagnostic.check), diagnostic.text));
}

/// A column is inaccurate if its error exceeds this share of the column, with rows in standard deviations of the
/// observables. A short run has the larger limit: only columns with an error of about their own size are replaced.
constexpr double poor_share = 0.5, useless_share = 0.7;

bool missing(const Jacobian& jacobian, std::size_t column) {
  for (std::size_t m = 0; m < jacobian.rows(); ++m)
    if (!std::isfinite(jacobian.value[jacobian.at(m, column)])) return true;
  return false;
}

/// Norm of the standard errors of the statistics, each in standard deviations of its observable.
double error_of_statistics(const Jacobian& jacobian) {
  double square = 0;
  for (const statistics::Average& average : jacobian.statistics)
    if (average.standard_deviation > 0) square += std::pow(average.standard_error / average.standard_deviation, 2);
  return std::sqrt(square);
}

/// Columns that are missing, and columns with an error above this share. A column is kept if its error, multiplied by
/// the size of the parameter, changes the statistics by less than their own errors.
std::vector<std::size_t> columns_to_replace(const Jacobian& jacobian, const std::vector<double>& parameters,
                                            double share) {
  const std::vector<double> relative = jacobian::relative_errors(jacobian),
                            absolute = jacobian::absolute_errors(jacobian);
  const double noise = error_of_statistics(jacobian);
  std::vector<std::size_t> result;
  for (std::size_t j = 0; j < jacobian.columns.size(); ++j) {
    const bool negligible = parameters[j] != 0 && absolute[j] * std::abs(parameters[j]) <= noise;
    if (missing(jacobian, j) || (relative[j] > share && !negligible)) result.push_back(j);
  }
  return result;
}

/// Replaces columns by those of another Jacobian, unless the present ones have smaller errors.
void replace_columns(Jacobian measured, const std::vector<std::size_t>& columns, Jacobian& jacobian) {
  const std::vector<double> errors = jacobian::absolute_errors(measured), before = jacobian::absolute_errors(jacobian);
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (before[columns[i]] <= errors[i])
      for (std::size_t m = 0; m < measured.rows(); ++m) measured.value[measured.at(m, i)] = std::nan("");
  jacobian::put_columns(measured, columns, jacobian);
}

/// A condition that never changed during a run has a probability p below the bound that serves as its standard error.
/// Its derivatives are of the order of p log p over the size of a parameter, which is negligible. They are set to zero,
/// so that the other targets can lead to parameters at which the condition changes. If no target has any derivative,
/// all remain missing.
void fill_constant_rows(const std::vector<double>& parameters, Jacobian& jacobian) {
  const auto constant = [](const statistics::Average& average) { return average.never_varied; };
  if (std::ranges::all_of(jacobian.statistics, constant)) return;
  for (std::size_t m = 0; m < jacobian.rows(); ++m) {
    const double bound = jacobian.statistics[m].standard_error;
    if (!jacobian.statistics[m].never_varied || !(bound > 0)) continue;
    for (std::size_t j = 0; j < jacobian.columns.size(); ++j) {
      const std::size_t at = jacobian.at(m, j);
      const double size = parameters[j] != 0 ? std::abs(parameters[j]) : 1;
      jacobian.value[at] = 0;
      jacobian.standard_error[at] = bound * std::max(1.0, -std::log(bound)) / size;
    }
  }
}

void take(const Jacobian& jacobian, Evaluation& evaluation) {
  evaluation.statistics = jacobian.statistics;
  evaluation.mean_covariance = jacobian.statistics_covariance;
  evaluation.jacobian = jacobian.value;
  evaluation.jacobian_error = jacobian.standard_error;
  evaluation.jacobian_degrees_of_freedom = jacobian.degrees_of_freedom;
  evaluation.simulated_time = jacobian.simulated_time;
  for (const jacobian::Column& column : jacobian.columns) evaluation.methods.push_back(column.method.text());
  take_warnings(jacobian.diagnostics, evaluation);
  evaluation.problem = first_failure(jacobian.diagnostics);
  evaluation.declined = jacobian.declined;
  if (jacobian.declined) {
    evaluation.jacobian.clear();
    evaluation.jacobian_error.clear();
  }
  if (!evaluation.problem.empty() || jacobian.declined) return;
  for (std::size_t j = 0; j < jacobian.columns.size(); ++j)
    if (missing(jacobian, j))
      evaluation.problem = fmt::format("The derivatives with respect to {} could not be estimated: {}.",
                                       jacobian.columns[j].parameter, jacobian.columns[j].remark);
}

void take(const EnsembleStatistics& statistics, Evaluation& evaluation) {
  evaluation.statistics = statistics.observables;
  evaluation.mean_covariance = statistics.mean_covariance;
  evaluation.simulated_time = statistics.run.simulated_time;
  take_warnings(statistics.diagnostics, evaluation);
  evaluation.problem = first_failure(statistics.diagnostics);
}

bool has_control_variate(const Evaluation& evaluation) {
  return std::ranges::any_of(evaluation.statistics,
                             [](const statistics::Average& average) { return average.plain.has_value(); });
}

/// Gives statistics without a control variate one, from the same run, so that all statistics of a calibration are of
/// one kind.
void add_control_variate(const EnsembleStatistics& controlled, Evaluation& evaluation) {
  evaluation.simulated_time += controlled.run.simulated_time;
  if (!controlled.usable() || controlled.observables.size() != evaluation.statistics.size()) return;
  evaluation.statistics = controlled.observables;
  evaluation.mean_covariance = controlled.mean_covariance;
}

bool finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace

ResponseEvaluator::ResponseEvaluator(Experiment experiment) : experiment_(std::move(experiment)) {
  simulate::Options& simulation = experiment_.simulation;
  simulation.burn_in = simulation.burn_in_time();  // shorter runs have the burn-in of the full length, too
  experiment_.score.threads = simulation.threads;
  experiment_.score.device = simulation.backend == codegen::Backend::cuda;
  experiment_.score.whole_model = !experiment_.source;
  // The parameters, and with them the score, change little from one iteration to the next.
  constexpr double enough = 1.0 / 3;
  if (!experiment_.score.warm_epochs) experiment_.score.warm_epochs = enough;
}

symbolic::Model ResponseEvaluator::model_at(const std::vector<double>& parameters) const {
  symbolic::Model model = experiment_.model;
  for (std::size_t j = 0; j < parameters.size(); ++j)
    for (symbolic::Parameter& known : model.parameters)
      if (known.name == experiment_.parameters[j]) known.value = parameters[j];
  return model;
}

simulate::Options ResponseEvaluator::options_for(const Request& request) const {
  simulate::Options options = experiment_.simulation;
  options.length = request.length;
  options.seed = request.seed;
  if (request.purpose == Request::Purpose::stability) options.burn_in = 0;
  return options;
}

Evaluation ResponseEvaluator::evaluate(const Request& request, const simulate::Control& control) {
  const Stopwatch watch;
  const symbolic::Model model = model_at(request.parameters);
  const simulate::Options options = options_for(request);
  Evaluation evaluation;
  const auto finished = [&] {
    evaluation.cancelled = control.cancellation && control.cancellation->requested();
    evaluation.wall_seconds = watch.seconds();
    return evaluation;
  };
  if (request.purpose == Request::Purpose::stability) {
    if (experiment_.source) return finished();  // a short run of the user's program is not cheaper than a full one
    const simulate::Summary run = simulate::run(model, options, {}, control);
    evaluation.simulated_time = run.simulated_time;
    if (run.status == simulate::Status::unstable) evaluation.problem = run.explanation;
    return finished();
  }
  std::unique_ptr<simulate::Source> source;
  try {
    source = experiment_.source ? experiment_.source(model, options, control)
                                : std::make_unique<simulate::ModelSource>(model, options);
  } catch (const simulate::SimulationFailed& failure) {
    evaluation.problem = failure.what();
    return finished();
  }
  if (!source) return finished();
  // The user's program may contain more than the formulas of the model.
  const bool controls = experiment_.response.control_variate.value_or(true) && !experiment_.source;
  const auto controlled = [&] {
    const double accuracy = enough_for(request, false).of_leading_terms;
    return control_variate::controlled_statistics(model, *source, {.wanted = controls, .accuracy = accuracy}, {},
                                                  control)
        .run;
  };
  if (request.purpose == Request::Purpose::statistics) {
    take(controlled(), evaluation);
  } else {
    // The decision whether derivatives are needed must use the statistics that are kept.
    std::optional<EnsembleStatistics> early;
    if (request.wanted && controls && adds_control_variate()) {
      take(early.emplace(controlled()), evaluation);
      evaluation.declined =
          evaluation.problem.empty() && !request.wanted(evaluation.statistics, evaluation.mean_covariance);
    }
    if (!evaluation.declined) {
      evaluation = derivatives(request, model, *source, early ? jacobian::Wanted() : request.wanted, control);
      if (evaluation.problem.empty() && controls && !has_control_variate(evaluation) && !evaluation.declined)
        add_control_variate(early ? *early : controlled(), evaluation);
    }
  }
  if (evaluation.problem.empty() && !finite(evaluation.mean_covariance))
    evaluation.problem =
        fmt::format("The errors of the statistics cannot be told from this run. Use at least {} members.",
                    statistics::fewest_members);
  if (evaluation.problem.empty() && !evaluation.declined && experiment_.observable_covariance)
    evaluation.observable_covariance = observable_covariance(model, *source, control);
  return finished();
}

bool ResponseEvaluator::adds_control_variate() const {
  if (experiment_.response.method == jacobian::Method::finite_difference) return true;
  const bool by_score = experiment_.response.method == jacobian::Method::gfdt ||
                        jacobian::asks_for_score(experiment_.response, experiment_.score.method);
  return by_score && !experiment_.response.control_variate;
}

Evaluation ResponseEvaluator::derivatives(const Request& request, const symbolic::Model& model,
                                          const simulate::Source& source, const jacobian::Wanted& wanted,
                                          const simulate::Control& control) const {
  const auto differences = [&](const std::vector<std::string>& parameters, const jacobian::Wanted& also = {}) {
    return jacobian::finite_difference_jacobian(model, options_for(request), experiment_.response, parameters, control,
                                                also);
  };
  Evaluation evaluation;
  if (experiment_.response.method == jacobian::Method::finite_difference) {
    Jacobian found = differences(experiment_.parameters, wanted);
    fill_constant_rows(request.parameters, found);
    take(found, evaluation);
    return evaluation;
  }
  jacobian::GfdtProblem asked{model, source, experiment_.parameters, experiment_.score, experiment_.response, {}};
  asked.score.seed = request.seed;
  asked.start = request.start;
  asked.certificate_effort = certificate_effort;
  const bool full_length = request.length >= experiment_.simulation.length;
  asked.thresholds = enough_for(request, full_length);
  asked.wanted = wanted;
  if (jacobian::asks_for_score(asked.response, asked.score.method)) asked.response.method = jacobian::Method::gfdt;
  jacobian::GfdtJacobian found = jacobian::estimate(asked, control);
  fill_constant_rows(request.parameters, found.jacobian);
  if (found.jacobian.usable() && !found.jacobian.declined && !experiment_.source) {
    const std::vector<std::size_t> columns =
        columns_to_replace(found.jacobian, request.parameters, full_length ? poor_share : useless_share);
    std::vector<std::string> names;
    for (const std::size_t j : columns) names.push_back(experiment_.parameters[j]);
    if (!names.empty()) replace_columns(differences(names), columns, found.jacobian);
    fill_constant_rows(request.parameters, found.jacobian);
  }
  take(found.jacobian, evaluation);
  if (evaluation.declined) return evaluation;
  if (evaluation.problem.empty()) evaluation.insight = std::make_shared<const Insight>(insight_of(found));
  const bool learned =
      std::ranges::any_of(found.score.fits, [](const score::ScoreFit& fit) { return fit.training.has_value(); });
  if (learned) evaluation.scores = found.score.scores.fields;
  return evaluation;
}

std::vector<Evaluation> ResponseEvaluator::evaluate_all(std::span<const Request> requests,
                                                        const simulate::Control& control) {
  if (ranks::count() == 1 || requests.size() == 1) return Evaluator::evaluate_all(requests, control);
  std::vector<Evaluation> answers(requests.size());
  for_each_block_on_ranks("requests for statistics", requests.size(), 1,
                          [&](std::size_t i) { answers[i] = evaluate(requests[i], control); },
                          {[&](std::size_t i, Packer& packer) { pack(answers[i], packer); },
                           [&](std::size_t i, Unpacker& unpacker) { answers[i] = unpack_evaluation(unpacker); }});
  const auto stopped = std::ranges::find_if(answers, &Evaluation::cancelled);
  if (stopped != answers.end()) answers.erase(stopped + 1, answers.end());
  return answers;
}

}  // namespace gfdt::calibrate

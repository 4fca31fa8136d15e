#include "gfdt/api/jacobian_task.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "gfdt/api/simulation_task.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/base/nearest.hpp"
#include "gfdt/control_variate/fit/residuals.hpp"
#include "gfdt/control_variate/rare_states.hpp"
#include "gfdt/data/provenance.hpp"
#include "gfdt/data/recording.hpp"
#include "gfdt/jacobian/estimate.hpp"
#include "gfdt/jacobian/finite_difference/step_limit.hpp"
#include "gfdt/jacobian/selection/automatic_jacobian.hpp"
#include "gfdt/problem/external_simulator.hpp"
#include "gfdt/results/json/certificate_json.hpp"
#include "gfdt/results/json/diagnostic_json.hpp"
#include "gfdt/results/json/jacobian_json.hpp"
#include "gfdt/results/json/score_file.hpp"
#include "gfdt/score/certificate/certificate.hpp"
#include "gfdt/score/fields/mean_field.hpp"
#include "gfdt/simulate/recorded_source.hpp"
#include "gfdt/statistics/checks/metastability.hpp"
#include "gfdt/statistics/checks/time_step_bias.hpp"

namespace gfdt::api {
namespace {

using jacobian::Jacobian;

/// The diagnostic of the certificate that was stored with a score.
Diagnostic kept_certificate(const results::StoredScore& stored) {
  const std::string verdict = stored.certificate.is_object() ? stored.certificate.value("verdict", "") : "";
  if (verdict == name(Verdict::passed))
    return {.check = Check::score,
            .text = "The certificate kept with the score passed for responses to drift parameters."};
  if (verdict == name(Verdict::failed))
    return {.check = Check::score,
            .verdict = Verdict::warning,
            .text = "The certificate kept with the score failed.",
            .remedy = "The error bars do not include the bias of such a score; --method finite-difference needs none."};
  return {.check = Check::score,
          .verdict = Verdict::unresolved,
          .text = fmt::format("The certificate kept with the score {}.",
                              verdict.empty() ? "is missing" : "could not tell whether it can be trusted")};
}

/// Reports entries that a method cannot estimate, or estimates without error bars.
void note_missing(Jacobian& jacobian, bool recorded) {
  std::vector<std::string> missing;
  bool without_error = false, any = false, all_supported = true;
  for (std::size_t m = 0; m < jacobian.rows(); ++m)
    for (std::size_t j = 0; j < jacobian.columns.size(); ++j) {
      const std::size_t at = jacobian.at(m, j);
      all_supported &= jacobian.statistics[m].usable();
      if (!std::isfinite(jacobian.value[at]))
        missing.push_back(fmt::format("∂<{}>/∂{}", jacobian.statistics[m].name, jacobian.columns[j].parameter));
      else
        without_error |= !std::isfinite(jacobian.standard_error[at]);
      any |= std::isfinite(jacobian.value[at]);
    }
  constexpr std::size_t most = 6;
  const std::size_t shown = std::min(missing.size(), most);
  if (!missing.empty())
    replace(jacobian.diagnostics,
            {.check = Check::columns,
             .verdict = !any ? Verdict::failed : Verdict::warning,
             .text = fmt::format("There is no {}{}.", fmt::join(missing.begin(), missing.begin() + shown, ", "),
                                 shown < missing.size() ? fmt::format(" nor {} others", missing.size() - shown) : ""),
             .remedy = fmt::format(
                 "{}The remarks of the columns give the reasons.{}", any ? "" : "No derivative could be estimated. ",
                 all_supported && !recorded ? " Finite differences may give them: --method finite-difference." : "")});
  if (without_error)
    jacobian.diagnostics.push_back(
        {.check = Check::error_bars,
         .verdict = Verdict::warning,
         .text = "The run is too short, or has too few members, to tell the errors.",
         .remedy = fmt::format("Use at least {} (simulation.members), each longer than the memory of the model.",
                               statistics::fewest_members)});
}

/// Warns about heavy tails: they affect columns that use samples of the observables, even if a control variate reduces
/// the variance of the averages.
void note_heavy_tails(jacobian::GfdtJacobian& result) {
  Jacobian& jacobian = result.jacobian;
  const auto from_samples = [&](const jacobian::Column& column) {
    return !column.zero && (!result.control || column.method.is(jacobian::Method::finite_difference));
  };
  const auto known = std::ranges::find(jacobian.diagnostics, Check::tails, &Diagnostic::check);
  if ((known != jacobian.diagnostics.end() && !known->passed()) || std::ranges::none_of(jacobian.columns, from_samples))
    return;
  if (std::optional<Diagnostic> heavy = statistics::heavy_tails_of_derivatives(jacobian.statistics))
    replace(jacobian.diagnostics, std::move(*heavy));
}

/// Adds the possible contribution of states that the run has hardly visited to all standard errors.
void include_rare_states(const JacobianTask& task, const simulate::Options& options, const statistics::PilotRun& pilot,
                         jacobian::GfdtJacobian& result, const simulate::Control& control) {
  Jacobian& jacobian = result.jacobian;
  const symbolic::Model& model = task.problem.model;
  const control_variate::RareStates rare = control_variate::RareStates::of(
      model, options, pilot, jacobian.statistics, result.control.get(), task.functions, control);
  if (rare.judged()) {
    std::vector<jacobian::RareSlopes> slopes;
    for (std::size_t m = 0; m < jacobian.rows(); ++m)
      slopes.push_back({rare.slope_of_residual(m), rare.on_plain(m).slope});
    std::vector<double> natural;
    for (const std::string& parameter : task.parameters)
      natural.push_back(jacobian::natural_change(model, parameter, pilot.statistics.monitored));
    jacobian::widen_by_rare_states(jacobian, slopes, natural);
  }
  jacobian.diagnostics.push_back(rare.include(model, options, jacobian.statistics, jacobian.statistics_covariance));
}

}  // namespace

void refuse_repetition(const std::vector<std::string>& names, const std::string& option) {
  for (auto name = names.begin(); name != names.end(); ++name)
    if (std::find(names.begin(), name, *name) != name)
      throw Error(fmt::format("{} has '{}' twice; once is enough.", option, *name));
}

namespace {

/// The Jacobian method with a score method; `auto` selects the score that suits the model.
JacobianMethod with_score(score::Method method) {
  const bool automatic = method == score::Method::automatic;
  return {automatic ? jacobian::name(jacobian::Method::gfdt) : score::name(method), jacobian::Method::gfdt, method, {}};
}

}  // namespace

std::vector<std::string> jacobian_method_names() {
  std::vector<std::string> names = jacobian::method_names();
  for (const std::string& score : score::method_names())
    if (score != score::name(score::Method::automatic)) names.push_back(score);
  return names;
}

JacobianMethod jacobian_method(const std::string& name) {
  if (const auto method = jacobian::method_named(name)) return {name, *method, {}, {}};
  if (const auto score = score::method_named(name)) return with_score(*score);
  std::error_code ignored;
  if (std::filesystem::exists(name, ignored)) return {name, jacobian::Method::gfdt, {}, name};
  const std::vector<std::string> known = jacobian_method_names();
  throw Error(fmt::format("'{}' is neither a method ({}) nor a score file.{}", name, fmt::join(known, ", "),
                          suggestion(name, known)));
}

JacobianMethod jacobian_method(const problem::Problem& problem, const std::string& method, const std::string& score) {
  const std::optional<jacobian::Method> named = jacobian::method_named(method);
  if (!method.empty() && !named)
    throw Error(fmt::format("'{}' is no method to make a Jacobian with ({}).{}", method,
                            fmt::join(jacobian::method_names(), ", "), suggestion(method, jacobian::method_names())));
  const jacobian::Method chosen = named.value_or(problem.response.method);
  // A score or an integration window in the options implies the correlation integral.
  const bool asks_for_score =
      !score.empty() || (!named && jacobian::asks_for_score(problem.response, problem.score.method));
  if (chosen != jacobian::Method::gfdt && !(chosen == jacobian::Method::automatic && asks_for_score)) {
    if (!score.empty())
      throw Error(fmt::format("The method {} needs no score: leave out --score.", jacobian::name(chosen)));
    return {jacobian::name(chosen), chosen, {}, {}};
  }
  if (score.empty()) return with_score(problem.score.method);
  if (const auto of_score = score::method_named(score)) return with_score(*of_score);
  JacobianMethod gfdt = jacobian_method(score);
  if (gfdt.score_file.empty())
    throw Error(fmt::format("--score takes a method of scores or a score file; --method {} needs none.", score));
  return gfdt;
}

std::unique_ptr<JacobianTask> jacobian_task(problem::Problem problem, std::vector<std::string> parameters,
                                            const std::string& trajectory, const simulate::Control& control) {
  std::optional<simulate::Recording> recording;
  if (!trajectory.empty()) recording = data::read_recording(trajectory, problem.model);
  return jacobian_task(std::move(problem), std::move(parameters), std::move(recording), control);
}

std::unique_ptr<JacobianTask> jacobian_task(problem::Problem problem, std::vector<std::string> parameters,
                                            std::optional<simulate::Recording> recording,
                                            const simulate::Control& control) {
  std::vector<std::string> known;
  for (const symbolic::Parameter& parameter : problem.model.parameters) known.push_back(parameter.name);
  refuse_repetition(parameters, "--parameters");
  for (const std::string& name : parameters)
    if (std::ranges::find(known, name) == known.end())
      throw Error(fmt::format("'{}' is not a parameter of the model.{}", name, suggestion(name, known)));
  if (problem.model.observables.empty())
    throw Error(fmt::format("'{}' has no [observables]: there is nothing to differentiate.", problem.file));
  auto task = std::make_unique<JacobianTask>();
  task->problem = std::move(problem);
  task->parameters = parameters.empty() ? std::move(known) : std::move(parameters);
  problem::Problem& own = task->problem;
  own.score.seed = own.simulation.seed;
  own.score.threads = own.simulation.threads;
  own.score.device = own.simulation.backend == codegen::Backend::cuda;
  task->recorded = recording.has_value() || own.command.has_value();
  own.score.whole_model = !task->recorded;
  constexpr double uncut = std::numeric_limits<double>::infinity();  // the Jacobian divides the recording into its own
                                                                     // segments
  if (recording) {
    task->source = std::make_unique<simulate::RecordedSource>(std::move(*recording), own.simulation, uncut);
  } else if (own.command) {
    const std::filesystem::path folder = std::filesystem::path(own.file).parent_path();
    task->source = problem::run_external(*own.command, own.model, own.simulation, folder, control);
    if (!task->source) throw Error("The run of simulation.command was stopped before its end.");
  } else {
    task->burn_in = settle_burn_in(own, control);
    task->source = std::make_unique<simulate::ModelSource>(own.model, own.simulation);
  }
  return task;
}

jacobian::ScoreFits given_score(const results::StoredScore& stored, const JacobianTask& task) {
  jacobian::ScoreFits result;
  result.origin = score::Origin{stored.method};
  if (stored.method != score::Method::exact) result.kept = kept_certificate(stored);
  const bool same_run = !task.recorded && stored.run == results::run_json(task.source->options());
  const auto* mean = dynamic_cast<const score::MeanField*>(stored.field.get());
  if (same_run && mean && mean->fields().size() == 2)
    result.scores.fields = mean->fields();
  else
    result.scores.fields = {stored.field};
  if (same_run && !result.scores.crossed() && stored.method != score::Method::exact)
    result.caution =
        "The score was fitted on this very run, which the error bars do not account for. Another --seed makes the "
        "samples "
        "independent.";
  return result;
}

jacobian::GfdtProblem gfdt_problem(const JacobianTask& task, const JacobianMethod& method) {
  const problem::Problem& problem = task.problem;
  jacobian::GfdtProblem asked{problem.model, *task.source, task.parameters, problem.score, problem.response, {}};
  asked.functions = task.functions;
  if (method.score) asked.score.method = *method.score;
  if (!method.score_file.empty())
    asked.given = given_score(results::read_score_file(method.score_file, problem.model,
                                                       results::Belonging::model_and_parameters, problem.score.device),
                              task);
  if (method.given) asked.given = method.given;
  return asked;
}

jacobian::GfdtJacobian estimate(const JacobianTask& task, const JacobianMethod& method,
                                const simulate::Control& control) {
  jacobian::GfdtProblem asked = gfdt_problem(task, method);
  asked.response.method = method.method;
  jacobian::GfdtJacobian result = jacobian::estimate(asked, control);
  statistics::BurnIn burn_in = task.burn_in;
  while (!task.recorded && !result.jacobian.stationary &&
         std::ranges::all_of(result.jacobian.statistics, &statistics::Average::usable) && burn_in.lengthen()) {
    simulate::Options longer = task.source->options();
    longer.burn_in = burn_in.time;
    const simulate::ModelSource source(task.problem.model, longer);
    result = jacobian::estimate(asked.of(task.problem.model, source), control);
  }
  Jacobian& jacobian = result.jacobian;
  if (!jacobian.usable()) return result;
  note_missing(jacobian, task.recorded);
  note_heavy_tails(result);
  if (task.recorded || task.problem.model.time_state) return result;
  jacobian.diagnostics.push_back(burn_in.diagnostic());
  simulate::Options settled = task.source->options();
  settled.burn_in = burn_in.time;
  const statistics::PilotRun pilot = pilot_of(task.problem, burn_in, control);
  jacobian.diagnostics.push_back(statistics::metastability(task.problem.model, settled, pilot, control));
  include_rare_states(task, settled, pilot, result, control);
  const statistics::TimeStepBias bias =
      control_variate::time_step_bias(task.problem.model, settled, jacobian.statistics, result.control.get(),
                                      asked.functions, {{}, control.cancellation});
  std::vector<double> sizes;
  constexpr double noticeable = 2;  // standard errors: the largest share of all rows widens the column
  for (std::size_t m = 0; m < jacobian.rows() && bias.compared; ++m) sizes.push_back(bias.size(m, noticeable));
  if (!sizes.empty()) jacobian::widen_by_time_step(jacobian, sizes);
  jacobian.diagnostics.push_back(
      statistics::include(bias, settled, jacobian.statistics, jacobian.statistics_covariance));
  return result;
}

nlohmann::ordered_json document_of(const jacobian::GfdtJacobian& result, const std::string& method) {
  nlohmann::ordered_json json{{"status", result.jacobian.complete() ? "done" : "failed"}, {"name", method}};
  json.update(results::to_json(result.jacobian));
  json["correction_degree"] = result.basis ? result.basis->degree() : 0;
  if (result.score.origin) json["score"] = results::to_json(result.score);
  if (!result.steps.time.empty()) json["step_response"] = results::to_json(result.steps, result.jacobian);
  json["findings"] = results::to_json(result.jacobian.diagnostics);
  return json;
}

std::string score_text(const jacobian::GfdtJacobian& result, const JacobianTask& task,
                       const data::Provenance& provenance) {
  const auto& fields = result.score.scores.fields;
  if (fields.empty() || !result.score.origin || !result.score.problem.empty()) return {};
  nlohmann::ordered_json extra{{"provenance", data::provenance_json(provenance)}};
  if (!task.recorded) extra["run"] = results::run_json(task.source->options());
  if (!result.score.certificates.empty()) extra["certificate"] = results::to_json(result.score.certificates[0]);
  const score::Method by = result.score.origin->method.value_or(score::Method::automatic);
  const std::shared_ptr<const score::Field> field =
      fields.size() == 1 ? fields[0] : std::make_shared<score::MeanField>(fields);
  return results::score_text(task.problem.model, by, *field, extra);
}

}  // namespace gfdt::api

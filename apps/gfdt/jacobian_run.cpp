#include "jacobian_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gfdt/core/error.hpp"
#include "gfdt/core/nearest.hpp"
#include "gfdt/io/recording.hpp"
#include "gfdt/io/score_file.hpp"
#include "gfdt/response/finite_difference.hpp"
#include "gfdt/score/mean_field.hpp"
#include "gfdt/simulate/recorded_source.hpp"

namespace gfdt::app {
namespace {

/// A kept score. Where it was fitted on halves of this very run, each half has the score of the other.
response::ScoreFits stored_score(const std::string& file, const JacobianTask& task) {
  const io::StoredScore stored = io::read_score_file(file, task.problem.model);
  response::ScoreFits result;
  result.name = scoring::name(stored.method);
  const bool same_run = !task.recorded && stored.run == io::run_json(task.source->options());
  const auto* mean = dynamic_cast<const score::MeanField*>(stored.field.get());
  if (same_run && mean && mean->fields().size() == 2)
    result.scores.fields = mean->fields();
  else
    result.scores.fields = {stored.field};
  if (same_run && !result.scores.crossed() && stored.method != scoring::Method::exact)
    result.caution =
        "The score was fitted on this very run: the error bars do not know of it. Another --seed makes the samples "
        "independent.";
  return result;
}

}  // namespace

JacobianMethod jacobian_method(const std::string& name) {
  if (name == response::name(response::Method::finite_difference))
    return {name, response::Method::finite_difference, {}, {}};
  if (const auto score = scoring::method_named(name)) return {name, response::Method::gfdt, score, {}};
  if (std::filesystem::exists(name)) return {name, response::Method::gfdt, {}, name};
  std::vector<std::string> known = scoring::method_names();
  known.push_back(response::name(response::Method::finite_difference));
  throw Error(fmt::format("'{}' is neither a method ({}) nor a score file.{}", name, fmt::join(known, ", "),
                          suggestion(name, known)));
}

std::unique_ptr<JacobianTask> jacobian_task(io::Problem problem, std::vector<std::string> parameters,
                                            const std::string& trajectory) {
  std::vector<std::string> known;
  for (const model::Parameter& parameter : problem.model.parameters) known.push_back(parameter.name);
  for (const std::string& name : parameters)
    if (std::ranges::find(known, name) == known.end())
      throw Error(fmt::format("'{}' is not a parameter of the model.{}", name, suggestion(name, known)));
  if (problem.model.observables.empty())
    throw Error(fmt::format("'{}' has no [observables]: there is nothing to differentiate.", problem.file));
  auto task = std::make_unique<JacobianTask>();
  task->problem = std::move(problem);
  task->parameters = parameters.empty() ? std::move(known) : std::move(parameters);
  io::Problem& own = task->problem;
  own.score.seed = own.simulation.seed;
  own.score.threads = own.simulation.threads;
  task->recorded = !trajectory.empty();
  own.score.whole_model = !task->recorded;
  if (task->recorded)
    task->source =
        std::make_unique<simulate::RecordedSource>(io::read_recording(trajectory, own.model), own.simulation);
  else
    task->source = std::make_unique<simulate::ModelSource>(own.model, own.simulation);
  return task;
}

response::GfdtProblem gfdt_problem(const JacobianTask& task, const JacobianMethod& method) {
  const io::Problem& problem = task.problem;
  response::GfdtProblem asked{problem.model, *task.source, task.parameters, problem.score, problem.response, {}};
  if (method.score) asked.score.method = *method.score;
  if (!method.score_file.empty()) asked.given = stored_score(method.score_file, task);
  return asked;
}

response::GfdtJacobian estimate(const JacobianTask& task, const JacobianMethod& method,
                                const simulate::Control& control) {
  const io::Problem& problem = task.problem;
  if (method.method == response::Method::finite_difference) {
    if (task.recorded)
      throw Error("Finite differences need runs at other parameters, and a recorded trajectory has none; use gfdt.");
    response::GfdtJacobian result;
    result.jacobian = response::finite_difference_jacobian(problem.model, problem.simulation, problem.response,
                                                           task.parameters, control);
    return result;
  }
  return response::gfdt_jacobian(gfdt_problem(task, method), control);
}

}  // namespace gfdt::app

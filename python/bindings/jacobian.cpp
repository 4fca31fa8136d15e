#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <nlohmann/json.hpp>

#include "background.hpp"
#include "function_rows.hpp"
#include "gfdt/api/jacobian_task.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/data/json.hpp"
#include "gfdt/data/recording.hpp"
#include "gfdt/problem/provenance_of.hpp"
#include "problem.hpp"
#include "result.hpp"
#include "score.hpp"

namespace gfdt::python {
namespace {

using Names = std::vector<std::string>;
using Recorded = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// States (members, times, dimension), or (times, dimension) of a single member.
simulate::Recording recording_of(const Recorded& states, double interval, const symbolic::Model& model) {
  const py::ssize_t axes = states.ndim();
  if ((axes != 2 && axes != 3) || states.shape(axes - 1) != model.dimension())
    throw Error(
        fmt::format("A trajectory is an array of shape (members, times, {0}) or (times, {0}).", model.dimension()));
  data::Trajectory trajectory{.variables = data::column_names(data::recorded_states(model)),
                              .fields = {},
                              .start = 0,
                              .interval = interval,
                              .members = axes == 3 ? static_cast<std::size_t>(states.shape(0)) : 1,
                              .times = static_cast<std::size_t>(states.shape(axes - 2)),
                              .values = {states.data(), states.data() + states.size()}};
  return data::recording_of(std::move(trajectory), model, "the array of states");
}

/// Called with a name, the Score of a fit, or a pair of functions.
api::JacobianMethod method_of(const problem::Problem& problem, const api::JacobianTask& task, const std::string& method,
                              const py::object& score, const Turn& turn) {
  if (score.is_none() || py::isinstance<py::str>(score))
    return api::jacobian_method(problem, method, score.is_none() ? "" : score.cast<std::string>());
  // Throws for methods that use no score.
  api::jacobian_method(problem, method, score::name(score::Method::automatic));
  return given_method(score, turn)(task);
}

SharedResult jacobian_of(const problem::Problem& asked, const Settings& settings, const std::string& method,
                         const py::object& score, const Names& parameters,
                         const std::optional<std::pair<double, double>>& window, const py::object& trajectory,
                         double interval, const std::string& save, const Functions& functions) {
  problem::Problem problem = settings.apply_to(asked);
  if (window) {
    problem.response.window = {window->first, window->second};
    if (const std::string wrong = problem.response.problem(); !wrong.empty()) throw Error(wrong);
  }
  // Finite differences use separate runs for functions.
  const bool differences =
      jacobian::method_named(method).value_or(problem.response.method) == jacobian::Method::finite_difference;
  if (differences && problem.model.observables.empty() && !functions.empty())
    throw Error(
        "Finite differences of functions need one observable that is a formula as well, by which the steps are chosen: "
        "add one to the problem, x for a state x.");
  if (!differences) problem.model = with_observables(std::move(problem.model), functions);
  std::unique_ptr<api::JacobianTask> task;
  if (trajectory.is_none() || py::isinstance<py::str>(trajectory))
    task = api::jacobian_task(problem, parameters, trajectory.is_none() ? "" : trajectory.cast<std::string>());
  else
    task = api::jacobian_task(problem, parameters, recording_of(trajectory.cast<Recorded>(), interval, problem.model));
  const data::Provenance provenance = problem::provenance_of(task->problem, settings.command);
  if (!differences) task->functions = observed(functions, problem.model.dimension(), settings.turn);
  // A score can be saved only if one is fitted.
  const bool keeps = !save.empty() && method.empty() && problem.response.method == jacobian::Method::automatic;
  const api::JacobianMethod chosen =
      method_of(problem, *task, keeps ? jacobian::name(jacobian::Method::gfdt) : method, score, settings.turn);
  if (!save.empty() && (chosen.method != jacobian::Method::gfdt || !chosen.score_file.empty() || chosen.given))
    throw Error(
        "--save keeps the score that is fitted, and here none is: leave it out, or ask for a method of scores.");
  auto result = std::make_shared<Result>();
  in_background(settings.progress, [&](const simulate::Control& control) {
    jacobian::GfdtJacobian found = api::estimate(*task, chosen, control);
    const std::size_t formulas = found.jacobian.rows();
    if (differences && !functions.empty() && found.jacobian.usable())
      add_function_rows(found.jacobian, task->problem, functions, control);
    nlohmann::ordered_json document = api::document_of(found, chosen.name);
    document["seed"] = task->problem.simulation.seed;
    document["provenance"] = data::provenance_json(provenance);
    result->document = data::json_text(document);
    if (!save.empty()) result->kept_score = api::score_text(found, *task, provenance);
    jacobian::Jacobian& jacobian = found.jacobian;
    result->usable = jacobian.complete();
    result->put(jacobian.statistics);
    const std::size_t rows = jacobian.rows(), columns = jacobian.columns.size();
    result->put("statistics_covariance", std::move(jacobian.statistics_covariance), {formulas, formulas});
    for (auto* values : {&jacobian.value, &jacobian.standard_error, &jacobian.sampling_error, &jacobian.score_error})
      values->resize(rows * columns);
    result->put("jacobian", std::move(jacobian.value), {rows, columns});
    result->put("jacobian_error", std::move(jacobian.standard_error), {rows, columns});
    result->put("sampling_error", std::move(jacobian.sampling_error), {rows, columns});
    result->put("score_error", std::move(jacobian.score_error), {rows, columns});
  });
  return result;
}

}  // namespace

void add_jacobian(py::module_& module) {
  module.def("jacobian", &jacobian_of, py::arg("problem"), py::arg("settings"), py::arg("method"), py::arg("score"),
             py::arg("parameters"), py::arg("window"), py::arg("trajectory"), py::arg("interval"), py::arg("save"),
             py::arg("functions"),
             "Derivatives of all statistics with respect to the parameters. `score`: None, a name, a Score, or two "
             "functions.");
}

}  // namespace gfdt::python

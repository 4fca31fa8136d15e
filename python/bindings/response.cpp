#include <nlohmann/json.hpp>

#include "background.hpp"
#include "gfdt/api/response_task.hpp"
#include "gfdt/data/json.hpp"
#include "gfdt/problem/provenance_of.hpp"
#include "problem.hpp"
#include "result.hpp"
#include "score.hpp"
#include "states.hpp"

namespace gfdt::python {
namespace {

using Series = std::pair<std::vector<double>, std::vector<double>>;

SharedResult response_of(const problem::Problem& asked, const Settings& settings, const std::string& parameter,
                         std::optional<double> size, const std::optional<Series>& forcing, std::optional<double> until,
                         const py::object& score, const std::string& trajectory, bool transient, bool check,
                         const Functions& functions) {
  problem::Problem problem = settings.apply_to(asked);
  problem.model = with_observables(std::move(problem.model), functions);
  api::ResponseRequest request{.parameter = parameter,
                               .size = size,
                               .series = {},
                               .until = until,
                               .score = {},
                               .trajectory = trajectory,
                               .transient = transient,
                               .check = check};
  if (py::isinstance<py::str>(score))
    request.score = score.cast<std::string>();
  else
    request.given = given_method(score, settings.turn);
  request.functions = observed(functions, problem.model.dimension(), settings.turn);
  if (forcing) request.series.emplace(forcing->first, forcing->second);
  api::check(request, problem);
  const data::Provenance provenance = problem::provenance_of(problem, settings.command);
  auto result = std::make_shared<Result>();
  in_background(settings.progress, [&](const simulate::Control& control) {
    const api::ResponseResult found = api::respond(request, problem, control);
    result->usable = found.usable();
    result->document = data::json_text(api::document_of(found, problem, provenance));
  });
  return result;
}

}  // namespace

void add_response(py::module_& module) {
  module.def("response", &response_of, py::arg("problem"), py::arg("settings"), py::arg("parameter"), py::arg("size"),
             py::arg("forcing"), py::arg("until"), py::arg("score"), py::arg("trajectory"), py::arg("transient"),
             py::arg("check"), py::arg("functions"), "Responses of the statistics in time.");
}

}  // namespace gfdt::python

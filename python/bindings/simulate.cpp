#include <nlohmann/json.hpp>

#include "background.hpp"
#include "gfdt/core/error.hpp"
#include "gfdt/io/json.hpp"
#include "gfdt/io/provenance.hpp"
#include "gfdt/poisson/controlled_statistics.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
#include "gfdt/task/simulation_document.hpp"
#include "problem.hpp"
#include "result.hpp"
#include "states.hpp"

namespace gfdt::python {
namespace {

SharedResult simulate_problem(const io::Problem& asked, const Settings& settings, bool keep_states,
                              const std::string& file, const Functions& functions) {
  const io::Problem problem = settings.apply_to(asked);
  if (problem.model.observables.empty() && functions.empty() && !keep_states && file.empty())
    throw Error("'" + problem.file + "' has no [observables]: nothing to compute.");
  const io::Provenance provenance = io::provenance_of(problem, settings.command);
  const io::TrajectoryLayout layout = io::trajectory_layout(problem.model, problem.simulation);

  std::vector<std::unique_ptr<io::TrajectoryWriter>> writers;
  MemoryWriter* memory = nullptr;
  if (keep_states) {
    auto kept = std::make_unique<MemoryWriter>(layout);
    memory = kept.get();
    writers.push_back(std::move(kept));
  }
  if (!file.empty()) writers.push_back(io::make_trajectory_writer(file, layout, provenance));
  std::vector<std::unique_ptr<simulate::Sink>> owned;
  for (const auto& writer : writers) owned.push_back(std::make_unique<io::TrajectorySink>(*writer));
  const model::Model model = with_observables(problem.model, functions);
  const statistics::ObservedFunctions given = observed(functions, model.dimension(), settings.turn);

  auto result = std::make_shared<Result>();
  in_background(settings.progress, [&](const simulate::Control& control) {
    std::vector<simulate::Sink*> sinks;
    for (const auto& sink : owned) sinks.push_back(sink.get());
    const statistics::EnsembleStatistics found =
        poisson::controlled_statistics(model, simulate::ModelSource(model, problem.simulation),
                                       {.wanted = problem.response.control_variate.value_or(true)}, {.functions = given}, control,
                                       sinks)
            .run;
    if (found.run.status == simulate::Status::done)
      for (const auto& writer : writers) writer->finish();
    if (memory && found.run.status == simulate::Status::done) result->put("states", memory->take(), memory->shape());
    if (!found.mean_covariance.empty())
      result->put("statistics_covariance", found.mean_covariance, {found.observables.size(), found.observables.size()});
    result->put(found.observables);
    result->usable = found.usable();
    result->document = io::json_text(task::document_of(found, problem, provenance));
  });
  return result;
}

}  // namespace

void add_simulate(py::module_& module) {
  module.def("simulate", &simulate_problem, py::arg("problem"), py::arg("settings"), py::arg("states"), py::arg("file"),
             py::arg("functions"),
             "Statistics of the observables and of functions of states; keeps the states in memory or in a file.");
}

}  // namespace gfdt::python

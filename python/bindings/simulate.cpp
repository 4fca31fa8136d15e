#include <nlohmann/json.hpp>

#include "background.hpp"
#include "gfdt/api/simulation_document.hpp"
#include "gfdt/api/simulation_task.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/data/json.hpp"
#include "gfdt/problem/provenance_of.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
#include "problem.hpp"
#include "result.hpp"
#include "states.hpp"

namespace gfdt::python {
namespace {

SharedResult simulate_problem(const problem::Problem& asked, const Settings& settings, bool keep_states,
                              const std::string& file, const Functions& functions) {
  problem::Problem problem = settings.apply_to(asked);
  if (problem.model.observables.empty() && functions.empty() && !keep_states && file.empty())
    throw Error("'" + problem.file + "' has no [observables]: nothing to compute.");
  std::vector<std::unique_ptr<data::TrajectoryWriter>> writers;
  std::vector<std::unique_ptr<simulate::Sink>> owned;
  MemoryWriter* memory = nullptr;
  const auto sinks = [&](const simulate::Options& run) {
    const data::TrajectoryLayout layout = data::trajectory_layout(problem.model, run);
    owned.clear();
    writers.clear();
    if (keep_states) {
      auto kept = std::make_unique<MemoryWriter>(layout);
      memory = kept.get();
      writers.push_back(std::move(kept));
    }
    if (!file.empty())
      writers.push_back(data::make_trajectory_writer(file, layout, problem::provenance_of(problem, settings.command)));
    std::vector<simulate::Sink*> list;
    for (const auto& writer : writers)
      list.push_back(owned.emplace_back(std::make_unique<data::TrajectorySink>(*writer)).get());
    return list;
  };
  problem.model = with_observables(problem.model, functions);
  const statistics::ObservedFunctions given = observed(functions, problem.model.dimension(), settings.turn);

  auto result = std::make_shared<Result>();
  in_background(settings.progress, [&](const simulate::Control& control) {
    const statistics::EnsembleStatistics found = api::simulate_problem(problem, control, sinks, given);
    if (found.run.status == simulate::Status::done)
      for (const auto& writer : writers) writer->finish();
    if (memory && found.run.status == simulate::Status::done) result->put("states", memory->take(), memory->shape());
    if (!found.mean_covariance.empty())
      result->put("statistics_covariance", found.mean_covariance, {found.observables.size(), found.observables.size()});
    result->put(found.observables);
    result->usable = found.complete();
    result->document =
        data::json_text(api::document_of(found, problem, problem::provenance_of(problem, settings.command)));
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

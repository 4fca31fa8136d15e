#include "problem.hpp"

#include <fmt/format.h>

#include "gfdt/base/error.hpp"
#include "gfdt/data/trajectory.hpp"

namespace gfdt::python {
namespace {

using Names = std::vector<std::string>;

template <class List>
Names names_of(const List& list) {
  Names names;
  for (const auto& item : list) names.push_back(item.name);
  return names;
}

py::dict simulation_of(const problem::Problem& problem) {
  const simulate::Options& options = problem.simulation;
  py::dict result;
  result["dt"] = options.dt;
  result["members"] = options.members;
  result["length"] = options.length;
  result["burn_in"] = options.burn_in_time();
  result["cadence"] = options.cadence;
  result["scheme"] = simulate::name(options.scheme);
  result["precision"] = simulate::name(options.precision);
  result["seed"] = options.seed;
  return result;
}

py::dict parameters_of(const problem::Problem& problem) {
  py::dict result;
  for (const symbolic::Parameter& parameter : problem.model.parameters)
    result[parameter.name.c_str()] = parameter.value;
  return result;
}

}  // namespace

problem::Problem Settings::apply_to(const problem::Problem& problem) const {
  problem::Problem result = problem;
  if (seed) result.simulation.seed = *seed;
  if (threads && *threads < 1) throw Error(fmt::format("There must be at least one thread, not {}.", *threads));
  if (threads) result.simulation.threads = *threads;
  if (backend == "native")
    result.simulation.backend = codegen::Backend::native;
  else if (backend == "interpreter")
    result.simulation.backend = codegen::Backend::interpreter;
  else if (backend == "cuda")
    result.simulation.backend = codegen::choose_backend(codegen::Backend::cuda).backend;
  else if (backend != "auto")
    throw Error(fmt::format("'{}' is no back end: auto, native, interpreter and cuda are.", backend));
  return result;
}

void add_problem(py::module_& module) {
  py::class_<problem::Problem>(module, "Problem", "What a problem file says, checked.")
      .def_static(
          "read", [](const std::string& file, const Names& set) { return problem::read_problem(file, set); },
          py::arg("file"), py::arg("set"), "From a file; `set` holds texts key=value.")
      .def_static(
          "parse",
          [](const std::string& text, const std::string& name, const Names& set, const std::string& folder) {
            return problem::parse_problem(text, name, set, folder);
          },
          py::arg("text"), py::arg("name"), py::arg("set"), py::arg("folder"),
          "From a text; `folder` is where other files are looked for.")
      .def_readonly("file", &problem::Problem::file, "The path as given.")
      .def_readonly("text", &problem::Problem::text, "What was read.")
      .def_readonly("overrides", &problem::Problem::overrides, "What was changed of it, texts key=value.")
      .def_property_readonly(
          "states",
          [](const problem::Problem& problem) {
            Names names;
            for (const symbolic::Field& field : problem.model.states) names.push_back(field.label());
            return names;
          },
          "The state variables, as in the file.")
      .def_property_readonly(
          "components",
          [](const problem::Problem& problem) { return data::column_names(data::recorded_states(problem.model)); },
          "The state variables with all their sites, in the order of the columns of states.")
      .def_property_readonly(
          "observables", [](const problem::Problem& problem) { return names_of(problem.model.observables); },
          "Names of the observables.")
      .def_property_readonly("parameters", &parameters_of, "The parameters and their values.")
      .def_property_readonly("simulation", &simulation_of, "How the model is run.");

  py::class_<Settings>(module, "Settings", "What every computation takes.")
      .def(py::init([](std::optional<std::uint64_t> seed, std::optional<int> threads, const std::string& backend,
                       const py::object& progress, const std::string& command) {
             return Settings{
                 .seed = seed, .threads = threads, .backend = backend, .progress = progress, .command = command};
           }),
           py::arg("seed"), py::arg("threads"), py::arg("backend"), py::arg("progress"), py::arg("command"));
}

}  // namespace gfdt::python

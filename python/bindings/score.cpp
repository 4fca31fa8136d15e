#include "score.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "background.hpp"
#include "gfdt/api/score_task.hpp"
#include "gfdt/api/simulation_task.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/base/nearest.hpp"
#include "gfdt/data/json.hpp"
#include "gfdt/parallel/threads.hpp"
#include "gfdt/problem/provenance_of.hpp"
#include "gfdt/results/json/certificate_json.hpp"
#include "problem.hpp"
#include "result.hpp"

namespace gfdt::python {
namespace {

using States = py::array_t<double, py::array::forcecast>;  // any strides: what holds doubles is read where it lies
using SharedScore = std::shared_ptr<Score>;

constexpr std::size_t lanes_per_block = 512;

/// Shows blocks [row][lane] of states to `work(block, first, lanes)`, on all threads, without the interpreter's lock.
template <class Work>
void for_each_block_of(const States& states, int dimension, const Work& work) {
  if (states.ndim() != 2 || states.shape(1) != dimension)
    throw Error(fmt::format("States are an array of shape (n, {}).", dimension));
  const auto read = states.unchecked<2>();
  const std::size_t count = static_cast<std::size_t>(states.shape(0)), rows = static_cast<std::size_t>(dimension);
  const py::gil_scoped_release unlocked;
  for_each_block((count + lanes_per_block - 1) / lanes_per_block, available_threads(), [&](std::size_t number) {
    const std::size_t first = number * lanes_per_block, lanes = std::min(lanes_per_block, count - first);
    std::vector<double> block(rows * lanes);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        block[row * lanes + lane] = read(static_cast<py::ssize_t>(first + lane), static_cast<py::ssize_t>(row));
    work(block.data(), first, lanes);
  });
}

py::array_t<double> evaluate(const Score& score, const States& states) {
  const score::Field& field = *score.stored.field;
  const std::size_t rows = static_cast<std::size_t>(field.dimension());
  py::array_t<double> result({states.ndim() == 2 ? static_cast<std::size_t>(states.shape(0)) : 0, rows});
  double* values = result.mutable_data();
  for_each_block_of(states, field.dimension(), [&](const double* block, std::size_t first, std::size_t lanes) {
    std::vector<double> s(rows * lanes);
    field.evaluate(block, static_cast<int>(lanes), s.data());
    for (std::size_t lane = 0; lane < lanes; ++lane)
      for (std::size_t row = 0; row < rows; ++row) values[(first + lane) * rows + row] = s[row * lanes + lane];
  });
  return result;
}

py::array_t<double> jacobian(const Score& score, const States& states) {
  const score::Field& field = *score.stored.field;
  const std::size_t rows = static_cast<std::size_t>(field.dimension());
  std::vector<score::JacobianEntry> entries;
  for (int i = 0; i < field.dimension(); ++i)
    for (int j = 0; j < field.dimension(); ++j) entries.push_back({i, j});
  py::array_t<double> result({states.ndim() == 2 ? static_cast<std::size_t>(states.shape(0)) : 0, rows, rows});
  double* values = result.mutable_data();
  for_each_block_of(states, field.dimension(), [&](const double* block, std::size_t first, std::size_t lanes) {
    std::vector<double> s(rows * lanes), found(entries.size() * lanes);
    field.jacobian(block, static_cast<int>(lanes), entries, s.data(), found.data());
    for (std::size_t lane = 0; lane < lanes; ++lane)
      for (std::size_t e = 0; e < entries.size(); ++e)
        values[(first + lane) * entries.size() + e] = found[e * lanes + lane];
  });
  return result;
}

std::pair<SharedResult, SharedScore> fit(const problem::Problem& asked, const Settings& settings,
                                         const std::string& method, const SharedScore& start) {
  problem::Problem problem = settings.apply_to(asked);
  const std::optional<score::Method> named = score::method_named(method);
  if (!method.empty() && !named)
    throw Error(fmt::format("'{}' is no method of scores.{}", method, suggestion(method, score::method_names())));
  api::settle_burn_in(problem);
  const data::Provenance provenance = problem::provenance_of(problem, settings.command);
  auto result = std::make_shared<Result>();
  auto found = std::make_shared<api::ScoreResult>();
  in_background(settings.progress, [&](const simulate::Control& control) {
    *found = api::fit_and_certify(problem, named, start ? start->stored.field.get() : nullptr, control);
    if (!found->run.usable()) {
      for (const Diagnostic& diagnostic : found->run.diagnostics)
        if (diagnostic.verdict == Verdict::failed)
          throw Error(fmt::format("{}: {} {}", name(diagnostic.check), diagnostic.text, diagnostic.remedy));
    }
    result->usable = found->fit.usable() && found->certificate.overall != Verdict::failed;
    result->document = data::json_text(api::document_of(*found, problem, provenance));
  });
  if (!found->fit.usable()) throw Error(found->fit.problem);
  auto score = std::make_shared<Score>();
  score->stored = {found->fit.choice.method, found->fit.field, results::to_json(found->certificate),
                   results::run_json(problem.simulation)};
  score->text = [found, problem, provenance] { return api::score_text(*found, problem, provenance); };
  return {result, score};
}

SharedScore read(const std::string& file, const problem::Problem& problem) {
  auto score = std::make_shared<Score>();
  score->stored = results::read_score_file(file, problem.model);
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  score->text = [kept = text.str()] { return kept; };
  return score;
}

}  // namespace

void add_score(py::module_& module) {
  py::class_<Score, SharedScore>(module, "Score", "A score of a model.")
      .def_property_readonly("method", [](const Score& score) { return score::name(score.stored.method); })
      .def_property_readonly("dimension", [](const Score& score) { return score.stored.field->dimension(); })
      .def_property_readonly("description", [](const Score& score) { return score.stored.field->description(); })
      .def("evaluate", &evaluate, py::arg("states"), "s at states (n, dimension).")
      .def("jacobian", &jacobian, py::arg("states"), "∇s at states (n, dimension): (n, dimension, dimension).")
      .def(
          "text", [](const Score& score) { return score.text(); }, "The text of a score file.");
  module.def("score", &fit, py::arg("problem"), py::arg("settings"), py::arg("method"), py::arg("start"),
             "Fits a score and certifies it.");
  module.def("read_score", &read, py::arg("file"), py::arg("problem"), "Reads a score file of a problem's model.");
}

}  // namespace gfdt::python

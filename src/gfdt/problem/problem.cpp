#include "gfdt/problem/problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/problem/overrides.hpp"
#include "gfdt/problem/problem_sections.hpp"
#include "gfdt/problem/tables/calibration_table.hpp"
#include "gfdt/problem/tables/model_tables.hpp"
#include "gfdt/problem/tables/response_table.hpp"
#include "gfdt/problem/tables/score_table.hpp"
#include "gfdt/problem/tables/simulation_table.hpp"
#include "gfdt/problem/tables/targets_table.hpp"
#include "gfdt/simulate/time_dependence.hpp"

namespace gfdt::problem {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_problem = std::size_t{16} << 20;

TomlValue parse_document(const std::string& file, const std::string& text, const std::vector<std::string>& sections) {
  auto source = std::make_shared<const data::SourceText>(file, text);
  TomlValue document = parse_toml(source);
  if (document.entries.empty()) throw InputError("The file is empty: it needs a [model].", source->place(1, 1));
  for (const TomlEntry& entry : document.entries)
    if (std::ranges::find(model_table_names(), entry.name) != model_table_names().end())
      entry.fail(fmt::format("'{}' is not a section of its own. Did you mean [model.{}]?", entry.name, entry.name));
  expect_keys(document, "", sections);
  const TomlEntry* model = document.find("model");
  if (!model) throw InputError("There is no [model] in this file.", source->place(1, 1));
  model->value.table_entries("model");
  return document;
}

bool names_model_file(const Override& change) {
  return (change.path.size() == 1 && change.path[0].name == "file") ||
         (change.path.size() == 2 && change.path[0].name == "model" && change.path[1].name == "file");
}

/// Loads the model file to which a document refers, if any, and merges the document into it.
void include_model_file(TomlValue& document, const fs::path& folder, const TextReader& read, Problem& problem) {
  const TomlEntry* entry = document.find("model")->value.find("file");
  if (!entry) return;
  const fs::path file = folder / fs::path(entry->value.words("model.file"));
  try {
    problem.model_text = read(file);
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    entry->value.fail(fmt::format("The model file cannot be used. {}", error.what()));
  }
  problem.model_file = file.string();
  TomlValue base = parse_document(problem.model_file, problem.model_text, {"model", "observables", "simulation"});
  if (const TomlEntry* nested = base.find("model")->value.find("file"))
    nested->fail("A model file cannot itself refer to another model file.");
  lay_over(base, document);
  document = std::move(base);
}

symbolic::Model build_model(const symbolic::Description& description, const TomlEntry& section) {
  try {
    return symbolic::build(description);
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    section.fail(error.what());
  }
}

/// Adapts the simulation options to a model that depends on time. Throws InputError if they are incompatible with it.
void fit_to_time(const TomlValue& document, Problem& problem) {
  const TomlEntry* section = document.find("simulation");
  const auto given = [&](const char* key) { return section ? section->value.find(key) : nullptr; };
  simulate::Options& options = problem.simulation;
  if (const std::string why = simulate::precision_problem(problem.model, options.precision); !why.empty())
    given("precision")->value.fail(why);
  const double length = simulate::length_in_whole_periods(problem.model, options.length);
  if (!(length > 0)) {
    const TomlEntry* culprit = given("length") ? given("length") : document.find("model")->value.find("period");
    culprit->value.fail(
        fmt::format("The length {:g} holds fewer than three periods of {:g}; averages need at least {:g}.",
                    options.length, *problem.model.period, 3 * *problem.model.period));
  }
  options.length = length;
}

}  // namespace

const std::vector<std::string>& section_names() {
  static const std::vector<std::string> names{"model", "observables", "targets",    "simulation",
                                              "score", "response",    "calibration"};
  return names;
}

std::string read_model_text(const fs::path& file) {
  return data::read_text_file(file, largest_problem, data::Pipes::accepted);
}

Problem parse_problem(std::string text, const std::string& file_name, std::span<const std::string> overrides,
                      const fs::path& folder, const TextReader& read) {
  Problem problem;
  problem.file = file_name;
  problem.text = std::move(text);
  problem.overrides.assign(overrides.begin(), overrides.end());

  TomlValue document = parse_document(file_name, problem.text, section_names());
  std::vector<Override> changes;
  for (const std::string& change : overrides) changes.push_back(parse_override(change));
  for (const Override& change : changes)
    if (names_model_file(change)) apply(change, document);
  include_model_file(document, folder, read, problem);
  for (const Override& change : changes)
    if (!names_model_file(change)) apply(change, document);

  problem.description = read_description(document);
  problem.model = build_model(problem.description, *document.find("model"));
  if (const TomlEntry* section = document.find("simulation")) {
    SimulationTable table = read_simulation(*section, problem.model);
    problem.simulation = table.options;
    problem.command = std::move(table.command);
  }
  fit_to_time(document, problem);
  if (const TomlEntry* section = document.find("targets"))
    problem.targets = read_targets(*section, problem.model, folder);
  if (const TomlEntry* section = document.find("calibration")) {
    CalibrationTable table = read_calibration(*section, problem.model);
    problem.calibration = table.options;
    problem.free = std::move(table.free);
    problem.priors = std::move(table.priors);
  }
  if (const TomlEntry* section = document.find("score")) problem.score = read_score(*section);
  if (const TomlEntry* section = document.find("response")) problem.response = read_response(*section, problem.model);
  return problem;
}

Problem read_problem(const fs::path& file, std::span<const std::string> overrides) {
  return parse_problem(data::read_text_file(file, largest_problem, data::Pipes::accepted), file.string(), overrides,
                       file.parent_path());
}

}  // namespace gfdt::problem

#include "gfdt/io/problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/core/nearest.hpp"
#include "gfdt/io/model_tables.hpp"
#include "gfdt/io/overrides.hpp"
#include "gfdt/io/problem_sections.hpp"
#include "gfdt/io/response_table.hpp"
#include "gfdt/io/score_table.hpp"
#include "gfdt/io/simulation_table.hpp"
#include "gfdt/simulate/time_dependence.hpp"

namespace gfdt::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = std::size_t{16} << 20;

TomlValue parse_document(const std::string& file, const std::string& text, const std::vector<std::string>& sections) {
  auto source = std::make_shared<const SourceText>(file, text);
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

/// Puts the model file that a document names, if any, below it.
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

std::vector<std::string> observable_names(const model::Model& model) {
  std::vector<std::string> names;
  for (const model::Observable& observable : model.observables) names.push_back(observable.name);
  return names;
}

Target read_target(const TomlEntry& entry, const std::vector<std::string>& observables) {
  if (std::ranges::find(observables, entry.name) == observables.end())
    entry.fail(fmt::format("The target '{}' is not an observable.{}", entry.name, suggestion(entry.name, observables)));
  const std::string what = "targets." + entry.name;
  if (!entry.value.is_table())
    entry.value.fail(
        fmt::format("A target has a value and its standard error: {} = {{ value = 1.02, std = 0.05 }}.", entry.name));
  expect_keys(entry.value, what, std::vector<std::string>{"value", "std"});
  const TomlEntry* value = entry.value.find("value");
  const TomlEntry* std = entry.value.find("std");
  if (!value || !std)
    entry.fail(fmt::format("The target '{}' lacks its '{}': write {{ value = ..., std = ... }}.", entry.name,
                           value ? "std" : "value"));
  Target target{entry.name, value->value.finite_number(what + ".value"), std->value.finite_number(what + ".std"),
                entry.place.origin()};
  if (!(*target.std > 0))
    std->value.fail(fmt::format("The std of target '{}' is {}; it must be positive.", entry.name, *target.std));
  return target;
}

std::vector<Target> read_targets(const TomlEntry& section, const model::Model& model) {
  const std::vector<std::string> observables = observable_names(model);
  std::vector<Target> targets;
  for (const TomlEntry& entry : section.value.table_entries("targets")) {
    const bool observable = std::ranges::find(observables, entry.name) != observables.end();
    if (!observable && (entry.name == "data" || entry.name == "columns"))
      entry.fail("Targets from a data file are not supported yet: give each target its value and std.");
    targets.push_back(read_target(entry, observables));
  }
  return targets;
}

std::vector<std::string> read_free(const TomlEntry& section, const model::Model& model) {
  expect_keys(section.value, "calibration", std::vector<std::string>{"free"});
  const TomlEntry* entry = section.value.find("free");
  if (!entry) return {};
  std::vector<std::string> known, free;
  for (const model::Parameter& parameter : model.parameters) known.push_back(parameter.name);
  for (const TomlValue& item : entry->value.array_items("calibration.free")) {
    const std::string& name = item.words("calibration.free");
    if (std::ranges::find(known, name) == known.end())
      throw InputError(fmt::format("'{}' is not a parameter of the model.{}", name, suggestion(name, known)),
                       item.text_place.origin());
    if (std::ranges::find(free, name) != free.end())
      throw InputError(fmt::format("The parameter '{}' is named twice.", name), item.text_place.origin());
    free.push_back(name);
  }
  if (free.empty()) entry->value.fail("No parameter is named here; leave out 'free' to calibrate all of them.");
  return free;
}

model::Model build_model(const model::Description& description, const TomlEntry& section) {
  try {
    return model::build(description);
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    section.fail(error.what());
  }
}

/// The options of a simulation as a model that depends on time needs them.
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

std::string read_model_text(const fs::path& file) { return read_text_file(file, most_bytes); }

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
    problem.simulation = read_simulation(*section);
    problem.command = read_command(*section, problem.model);
  }
  fit_to_time(document, problem);
  if (const TomlEntry* section = document.find("targets"))
    problem.targets.values = read_targets(*section, problem.model);
  if (const TomlEntry* section = document.find("calibration")) problem.free = read_free(*section, problem.model);
  if (const TomlEntry* section = document.find("score")) problem.score = read_score(*section);
  if (const TomlEntry* section = document.find("response")) problem.response = read_response(*section, problem.model);
  return problem;
}

Problem read_problem(const fs::path& file, std::span<const std::string> overrides) {
  return parse_problem(read_text_file(file, most_bytes), file.string(), overrides, file.parent_path());
}

}  // namespace gfdt::io

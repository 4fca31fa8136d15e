#include "gfdt/problem/overrides.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/base/nearest.hpp"
#include "gfdt/problem/problem_sections.hpp"
#include "gfdt/problem/tables/model_tables.hpp"
#include "gfdt/problem/tables/simulation_table.hpp"

namespace gfdt::problem {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::vector<std::string> parameter_names(const TomlValue& problem) {
  std::vector<std::string> names;
  const TomlEntry* model = problem.find("model");
  const TomlEntry* parameters = model ? model->value.find("parameters") : nullptr;
  if (parameters)
    for (const TomlEntry& entry : parameters->value.entries) names.push_back(entry.name);
  return names;
}

TomlEntry part(const std::string& name, const Place& place) {
  TomlEntry entry{name, place, {}};
  entry.value.place = entry.value.text_place = place;
  return entry;
}

/// The full path of a key that may lack its section.
std::vector<TomlEntry> full_path(const Override& change, const TomlValue& problem) {
  std::vector<TomlEntry> path = change.path;
  const std::string& first = path[0].name;
  const Place place = path[0].place;
  const std::vector<std::string> parameters = parameter_names(problem);
  const auto below = [&](const std::string& section) { path.insert(path.begin(), part(section, place)); };
  if (path.size() == 1 && contains(parameters, first)) {
    below("parameters");
    below("model");
  } else if (contains(section_names(), first)) {
    return path;
  } else if (contains(model_keys(), first)) {
    below("model");
  } else if (path.size() == 1 && contains(simulation_keys(), first)) {
    below("simulation");
  } else {
    std::vector<std::string> known = section_names();
    known.insert(known.end(), model_table_names().begin(), model_table_names().end());
    if (path.size() == 1) {
      known.insert(known.end(), parameters.begin(), parameters.end());
      known.insert(known.end(), simulation_keys().begin(), simulation_keys().end());
    }
    path[0].fail(fmt::format("'{}' is not a key of the problem.{}", first, suggestion(first, known)));
  }
  return path;
}

bool is_parameter_path(const std::vector<TomlEntry>& path) {
  return path.size() >= 3 && path[0].name == "model" && path[1].name == "parameters";
}

/// The parts of a dotted key: bare names or quoted parts, as in `model.initial."X[k]"`.
std::vector<TomlEntry> key_parts(const std::shared_ptr<const data::SourceText>& source, std::size_t end) {
  const std::string& text = source->text();
  std::vector<TomlEntry> parts;
  for (std::size_t at = 0; at <= end;) {
    while (at < end && text[at] == ' ') ++at;
    const bool quoted = at < end && (text[at] == '"' || text[at] == '\'');
    const std::size_t begin = quoted ? at + 1 : at;
    std::size_t stop = std::min(text.find(quoted ? text[at] : '.', begin), end);
    const std::size_t next = std::min(text.find('.', stop), end);
    while (!quoted && stop > begin && text[stop - 1] == ' ') --stop;
    if (stop == begin)
      throw InputError("--set takes key=value, with a key such as simulation.dt or a parameter's name.",
                       source->place(begin));
    parts.push_back(part(text.substr(begin, stop - begin), {source, begin}));
    at = next + 1;
  }
  return parts;
}

}  // namespace

Override parse_override(const std::string& text) {
  const auto source = std::make_shared<const data::SourceText>("--set", text);
  char quote = 0;
  std::size_t equals = 0;
  for (; equals < text.size(); ++equals) {
    const char c = text[equals];
    if (quote == 0 && c == '=') break;
    if (quote != 0 ? c == quote : c == '"' || c == '\'') quote = quote != 0 ? '\0' : c;
  }
  if (equals == text.size())
    throw InputError("--set takes key=value; there is no '=' here.", source->place(std::size_t{0}));
  std::size_t begin = equals + 1;
  while (begin < text.size() && text[begin] == ' ') ++begin;
  return {key_parts(source, equals), parse_toml_value(source, begin)};
}

void apply(const Override& change, TomlValue& problem) {
  const std::vector<TomlEntry> path = full_path(change, problem);
  if (is_parameter_path(path)) {
    const std::vector<std::string> known = parameter_names(problem);
    if (!contains(known, path[2].name))
      path[2].fail(
          fmt::format("'{}' is not a parameter of the model.{}", path[2].name, suggestion(path[2].name, known)));
  }
  TomlEntry replacement = path.back();
  replacement.value = change.value;
  TomlValue* table = &problem;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    TomlEntry* next = table->find(path[i].name);
    if (!next) {
      table->entries.push_back(path[i]);
      next = &table->entries.back();
    }
    if (is_parameter_path(path) && i == 2 && next->value.is_number()) {
      TomlEntry only_value{"value", next->place, next->value};
      next->value = path[i].value;
      next->value.entries.push_back(only_value);
    }
    if (!next->value.is_table())
      path[i].fail(fmt::format("'{}' is not a table and has no keys of its own.", path[i].name));
    table = &next->value;
  }
  TomlEntry* old = table->find(replacement.name);
  if (!old)
    table->entries.push_back(replacement);
  else if (old->value.find("value"))
    set_parameter(*old, replacement);
  else
    *old = replacement;
}

}  // namespace gfdt::problem

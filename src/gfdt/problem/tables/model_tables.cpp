#include "gfdt/problem/tables/model_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/nearest.hpp"

namespace gfdt::problem {
namespace {

using symbolic::Description;
using symbolic::NamedText;
using symbolic::Text;

/// The name without indices: `X[k]` and `X` denote the same field.
std::string bare_name(const std::string& label) {
  std::string name = label.substr(0, label.find('['));
  while (name.ends_with(' ')) name.pop_back();
  return name;
}

Text key(const TomlEntry& entry) { return {entry.name, entry.place.origin()}; }

Text formula(const TomlValue& value, const std::string& what) {
  if (value.kind == TomlKind::text) return {value.text, value.text_place.origin()};
  if (!value.is_number()) value.fail_kind(what, "a formula in quotes or a number");
  value.finite_number(what);
  return {value.kind == TomlKind::integer ? fmt::format("{}", value.integer) : fmt::format("{}", value.real),
          value.place.origin()};
}

NamedText named_formula(const TomlEntry& entry, const std::string& section) {
  return {key(entry), formula(entry.value, section + "." + entry.name)};
}

symbolic::DiffusionText diffusion(const TomlEntry& entry) {
  symbolic::DiffusionText result{key(entry), {}};
  const std::string what = "model.diffusion." + entry.name;
  if (!entry.value.is_table()) {
    if (entry.value.kind != TomlKind::text && !entry.value.is_number())
      entry.value.fail_kind(what, "a formula in quotes, a number, or a table of noises");
    result.terms.push_back({Text("", entry.place.origin()), formula(entry.value, what)});
  }
  for (const TomlEntry& noise : entry.value.entries) result.terms.push_back(named_formula(noise, what));
  return result;
}

symbolic::ParameterText parameter(const TomlEntry& entry) {
  const std::string what = "model.parameters." + entry.name;
  symbolic::ParameterText result{.name = key(entry)};
  if (entry.value.is_number()) {
    result.value = entry.value.finite_number(what);
    return result;
  }
  if (!entry.value.is_table()) entry.value.fail_kind(what, "a number or { value = ..., lower = ..., upper = ... }");
  expect_keys(entry.value, what, names_of(parameter_section().keys));
  const auto bound = [&](const char* name, double otherwise) {
    const TomlEntry* given = entry.value.find(name);
    if (!given) return otherwise;
    const double number = given->value.number(what + "." + name);
    if (std::isnan(number)) given->value.fail(fmt::format("{}.{}: expected a number, found nan.", what, name));
    return number;
  };
  const TomlEntry* value = entry.value.find("value");
  if (!value) entry.fail(fmt::format("The parameter '{}' has no value: write {{ value = ... }}.", entry.name));
  result.value = value->value.finite_number(what + ".value");
  result.lower = bound("lower", result.lower);
  result.upper = bound("upper", result.upper);
  return result;
}

symbolic::InitialText initial(const TomlEntry& entry) {
  const std::string what = "model.initial." + entry.name;
  symbolic::InitialText result{key(entry), {}};
  if (entry.value.is_number()) {
    result.law = {entry.value.finite_number(what), 0};
    return result;
  }
  if (!entry.value.is_table()) entry.value.fail_kind(what, "a number or { mean = ..., std = ... }");
  expect_keys(entry.value, what, names_of(initial_section().keys));
  if (const TomlEntry* mean = entry.value.find("mean")) result.law.mean = mean->value.finite_number(what + ".mean");
  if (const TomlEntry* std = entry.value.find("std")) {
    result.law.std = std->value.finite_number(what + ".std");
    if (result.law.std < 0) std->value.fail(fmt::format("{}.std: {} is negative.", what, result.law.std));
  }
  return result;
}

void read_states(const TomlEntry& section, Description& description) {
  const TomlEntry* state = section.value.find("state");
  if (!state) section.fail("The model does not name its state variables: write state = [\"x\", \"y\"] in [model].");
  for (const TomlValue& item : state->value.array_items("model.state"))
    description.states.emplace_back(item.words("model.state"), item.text_place.origin());
  if (description.states.empty()) state->value.fail("The model needs at least one state variable.");
}

void read_time(const TomlValue& table, Description& description) {
  if (const TomlEntry* period = table.find("period")) {
    description.period = period->value.finite_number("model.period");
    if (!(*description.period > 0))
      period->value.fail(fmt::format("The period is {:g}; it must be a positive time.", *description.period));
  }
  const TomlEntry* time = table.find("time");
  if (time) description.time = time->value.truth("model.time");
  if (time && !description.time && description.period)
    time->value.fail("A model with a period depends on time: leave out either 'time = false' or the period.");
}

/// The entries of an optional table; empty if it is absent.
const std::vector<TomlEntry>& entries_of(const TomlValue& parent, const std::string& name, const std::string& what) {
  static const std::vector<TomlEntry> none;
  const TomlEntry* table = parent.find(name);
  return table ? table->value.table_entries(what) : none;
}

void replace_or_add(std::vector<TomlEntry>& entries, const TomlEntry& replacement) {
  const auto same = [&](const TomlEntry& entry) { return bare_name(entry.name) == bare_name(replacement.name); };
  if (const auto old = std::ranges::find_if(entries, same); old != entries.end())
    *old = replacement;
  else
    entries.push_back(replacement);
}

void lay_table_over(TomlValue& base, const TomlEntry& table, const std::string& what) {
  TomlEntry* below = base.find(table.name);
  if (!below) {
    TomlValue empty;
    empty.place = empty.text_place = table.value.place;
    base.entries.push_back({table.name, table.place, empty});
    below = &base.entries.back();
  }
  below->value.table_entries(what);
  std::vector<std::string> known;
  for (const TomlEntry& entry : below->value.entries) known.push_back(entry.name);
  for (const TomlEntry& entry : table.value.table_entries(what)) {
    if (what != "model.parameters") {
      replace_or_add(below->value.entries, entry);
      continue;
    }
    TomlEntry* parameter = below->value.find(entry.name);
    if (!parameter)
      entry.fail(
          fmt::format("'{}' is not a parameter of the model file.{}", entry.name, suggestion(entry.name, known)));
    set_parameter(*parameter, entry);
  }
}

}  // namespace

void set_parameter(TomlEntry& parameter, const TomlEntry& replacement) {
  parameter.place = replacement.place;
  if (!parameter.value.is_table() || (!replacement.value.is_number() && !replacement.value.is_table())) {
    TomlEntry old = parameter;
    parameter.value = replacement.value;
    if (replacement.value.is_table() && !parameter.value.find("value") && old.value.is_number())
      parameter.value.entries.insert(parameter.value.entries.begin(), {"value", old.place, old.value});
    return;
  }
  const TomlEntry value{"value", replacement.place, replacement.value};
  const std::vector<TomlEntry> changes = replacement.value.is_table() ? replacement.value.entries : std::vector{value};
  for (const TomlEntry& change : changes) replace_or_add(parameter.value.entries, change);
}

void lay_over(TomlValue& model_file, const TomlValue& problem) {
  TomlEntry* base = model_file.find("model");
  for (const TomlEntry& entry : problem.find("model")->value.entries) {
    if (entry.name == "file") continue;
    if (entry.name == "state")
      entry.fail("The states are those of the model file; leave out either 'state' or 'file'.");
    if (entry.name == "time" || entry.name == "period")
      replace_or_add(base->value.entries, entry);
    else
      lay_table_over(base->value, entry, "model." + entry.name);
  }
  for (const TomlEntry& entry : problem.entries) {
    if (entry.name == "model") continue;
    if (entry.name == "observables" || entry.name == "simulation")
      lay_table_over(model_file, entry, entry.name);
    else
      model_file.entries.push_back(entry);
  }
}

Description read_description(const TomlValue& document) {
  const TomlEntry& section = *document.find("model");
  const TomlValue& table = section.value;
  expect_keys(table, "model", model_keys());
  Description description;
  read_time(table, description);
  constexpr std::int64_t most_sites = 1 << 24;
  for (const TomlEntry& entry : entries_of(table, "sites", "model.sites"))
    description.sites.push_back(
        {key(entry), static_cast<int>(entry.value.whole_number("model.sites." + entry.name, 1, most_sites))});
  read_states(section, description);
  for (const TomlEntry& entry : entries_of(table, "parameters", "model.parameters"))
    description.parameters.push_back(parameter(entry));
  for (const TomlEntry& entry : entries_of(table, "formulas", "model.formulas"))
    description.formulas.push_back(named_formula(entry, "model.formulas"));
  for (const TomlEntry& entry : entries_of(table, "drift", "model.drift"))
    description.drift.push_back(named_formula(entry, "model.drift"));
  for (const TomlEntry& entry : entries_of(table, "diffusion", "model.diffusion"))
    description.diffusion.push_back(diffusion(entry));
  for (const TomlEntry& entry : entries_of(table, "initial", "model.initial"))
    description.initial.push_back(initial(entry));
  for (const TomlEntry& entry : entries_of(table, "coordinates", "model.coordinates"))
    description.coordinates.push_back(named_formula(entry, "model.coordinates"));
  for (const TomlEntry& entry : entries_of(document, "observables", "observables"))
    description.observables.push_back(named_formula(entry, "observables"));
  return description;
}

}  // namespace gfdt::problem

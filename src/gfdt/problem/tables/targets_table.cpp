#include "gfdt/problem/tables/targets_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/base/nearest.hpp"
#include "gfdt/calibrate/targets/targets.hpp"
#include "gfdt/codegen/program/component_names.hpp"
#include "gfdt/simulate/time_dependence.hpp"

namespace gfdt::problem {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::vector<std::string> observable_names(const symbolic::Model& model) {
  std::vector<std::string> names;
  for (const symbolic::Observable& observable : model.observables) names.push_back(observable.name);
  return names;
}

class TargetsReader {
 public:
  TargetsReader(const TomlEntry& section, const symbolic::Model& model, const std::filesystem::path& folder)
      : section_(section), model_(model), folder_(folder), observables_(observable_names(model)) {}

  TargetTable read() {
    table_.origin = section_.place.origin();
    const std::vector<TomlEntry>& entries = section_.value.table_entries("targets");
    for (const TomlEntry& entry : entries)
      if (is_setting(entry)) setting(entry.name) = &entry;
    for (const TomlEntry& entry : entries)
      if (!is_setting(entry)) table_.values.push_back(read_target(entry));
    if (covariance_) read_covariance();
    read_data();
    read_reference();
    return std::move(table_);
  }

 private:
  const TomlEntry*& setting(const std::string& name) {
    if (name == "covariance") return covariance_;
    if (name == "data") return data_;
    if (name == "columns") return columns_;
    if (name == "interval") return interval_;
    return name == "missing" ? missing_ : reference_;
  }

  static bool has_number(const TomlValue& value, const char* key) {
    const TomlEntry* entry = value.find(key);
    return entry && entry->value.is_number();
  }

  /// Whether an entry is a setting rather than the target of an observable with the same name.
  bool is_setting(const TomlEntry& entry) const {
    if (!has(target_keys(), entry.name)) return false;
    if (!has(observables_, entry.name)) return true;
    const TomlValue& value = entry.value;
    if (entry.name == "data") return value.kind == TomlKind::text;
    if (entry.name == "covariance") return value.kind == TomlKind::array;
    if (entry.name == "missing" || entry.name == "interval") return value.is_number() && section_.value.find("data");
    return value.is_table() && !has_number(value, "value") && !has_number(value, "std");
  }

  Target read_target(const TomlEntry& entry) const {
    if (!has(observables_, entry.name)) {
      std::vector<std::string> known = observables_;
      known.insert(known.end(), target_keys().begin(), target_keys().end());
      entry.fail(fmt::format("The target '{}' is not an observable.{}", entry.name, suggestion(entry.name, known)));
    }
    const std::string what = "targets." + entry.name;
    if (covariance_ && entry.value.is_number())
      return {entry.name, entry.value.finite_number(what), std::nullopt, entry.place.origin()};
    if (!entry.value.is_table())
      entry.value.fail(
          fmt::format("A target has a value and its standard error: {} = {{ value = 1.02, std = 0.05 }}.", entry.name));
    expect_keys(entry.value, what, names_of(target_section().keys));
    const TomlEntry* value = entry.value.find("value");
    const TomlEntry* std = entry.value.find("std");
    if (!value) entry.fail(fmt::format("The target '{}' lacks its 'value'.", entry.name));
    if (!std && !covariance_)
      entry.fail(fmt::format("The target '{}' lacks its 'std': write {{ value = ..., std = ... }}.", entry.name));
    if (std && covariance_)
      std->fail("Errors are given by the covariance of all targets; leave out either 'std' or 'covariance'.");
    Target target{entry.name, value->value.finite_number(what + ".value"), std::nullopt, entry.place.origin()};
    if (!std) return target;
    target.std = std->value.finite_number(what + ".std");
    if (!(*target.std > 0))
      std->value.fail(fmt::format("The std of target '{}' is {}; it must be positive.", entry.name, *target.std));
    return target;
  }

  void read_covariance() {
    const std::string what = "targets.covariance";
    const std::vector<TomlValue>& rows = covariance_->value.array_items(what);
    const std::size_t size = table_.values.size();
    const auto expect_size = [&](const TomlValue& value, const char* kind) {
      if (value.items.size() != size)
        value.fail(
            fmt::format("{} {} for {} target{} with a value; the covariance has a row and a column for each, in "
                        "their order.",
                        value.items.size(), kind, size, size == 1 ? "" : "s"));
    };
    if (size == 0) covariance_->fail("There is no target with a value that this covariance could be of.");
    expect_size(covariance_->value, rows.size() == 1 ? "row" : "rows");
    calibrate::Targets targets;
    for (const Target& target : table_.values) {
      targets.observables.push_back(target.observable);
      targets.value.push_back(target.value);
    }
    for (const TomlValue& row : rows) {
      row.array_items(what);
      expect_size(row, row.items.size() == 1 ? "number" : "numbers");
      for (const TomlValue& number : row.items) targets.covariance.push_back(number.finite_number(what));
    }
    if (const std::string problem = targets.problem(); !problem.empty()) covariance_->value.fail(problem);
    table_.covariance = std::move(targets.covariance);
  }

  void read_data() {
    for (const TomlEntry* companion : {columns_, missing_, interval_})
      if (companion && !data_)
        companion->fail(
            fmt::format("'{}' is an option of data files; name the file: data = \"file.csv\".", companion->name));
    if (!data_) return;
    const std::string& name = data_->value.words("targets.data");
    if (name.empty()) data_->value.fail("The name of the data file is empty.");
    TargetData& data = table_.data.emplace();
    data.file = folder_ / std::filesystem::path(name);
    data.origin = data_->value.text_place.origin();
    if (missing_) data.missing = missing_->value.number("targets.missing");
    if (interval_) {
      data.interval = interval_->value.finite_number("targets.interval");
      if (!(*data.interval > 0))
        interval_->value.fail(fmt::format("The interval between rows is {:g}; it must be positive.", *data.interval));
    }
    if (!columns_) return;
    std::vector<std::string> known = codegen::component_names(model_);
    known.insert(known.end(), observables_.begin(), observables_.end());
    for (const TomlEntry& entry : columns_->value.table_entries("targets.columns")) {
      std::string bound = entry.name;
      std::erase(bound, ' ');
      if (!has(known, bound))
        entry.fail(fmt::format("'{}' is neither a state nor an observable of the model.{}", entry.name,
                               suggestion(bound, known)));
      if (!data.columns.emplace(bound, entry.value.words("targets.columns." + entry.name)).second)
        entry.fail(fmt::format("'{}' is bound twice.", bound));
    }
  }

  void read_reference() {
    if (!reference_) return;
    if (data_) reference_->fail("Targets are computed from data or from a run of the model, not from both.");
    const std::string what = "targets.reference";
    expect_keys(reference_->value, what, names_of(target_reference_section().keys));
    TargetReference& reference = table_.reference.emplace();
    reference.origin = reference_->place.origin();
    if (const TomlEntry* parameters = reference_->value.find("parameters")) read_parameters(*parameters);
    const TomlEntry* length = reference_->value.find("length");
    if (!length) return;
    reference.length = length->value.finite_number(what + ".length");
    if (!(*reference.length > 0))
      length->value.fail(fmt::format("The length is {:g}; it must be positive.", *reference.length));
    const double whole = simulate::length_in_whole_periods(model_, *reference.length);
    if (!(whole > 0))
      length->value.fail(
          fmt::format("The length {:g} holds fewer than three periods of {:g}.", *reference.length, *model_.period));
    reference.length = whole;
  }

  void read_parameters(const TomlEntry& parameters) {
    std::vector<std::string> known;
    for (const symbolic::Parameter& parameter : model_.parameters) known.push_back(parameter.name);
    for (const TomlEntry& entry : parameters.value.table_entries("targets.reference.parameters")) {
      if (!has(known, entry.name))
        entry.fail(fmt::format("'{}' is not a parameter of the model.{}", entry.name, suggestion(entry.name, known)));
      table_.reference->parameters.emplace(entry.name,
                                           entry.value.finite_number("targets.reference.parameters." + entry.name));
    }
  }

  const TomlEntry& section_;
  const symbolic::Model& model_;
  const std::filesystem::path& folder_;
  std::vector<std::string> observables_;
  const TomlEntry *covariance_ = nullptr, *data_ = nullptr, *columns_ = nullptr, *missing_ = nullptr,
                  *interval_ = nullptr, *reference_ = nullptr;
  TargetTable table_;
};

}  // namespace

const SectionText& targets_section() {
  static const SectionText text{
      "targets",
      "What the averages of observables should be, and how uncertain that is: an entry for an observable, and these "
      "keys. With `data` or a reference every observable without a value of its own gets a target where its columns "
      "are there ([the guide](problem-file.md#targets)).",
      {{"covariance", "list of lists of numbers", "errors are independent",
        "Of the errors of all values given here, rows in their order: `[[4e-4, 1e-4], [1e-4, 9e-4]]`. A target is then "
        "a number, or `{ value = ... }` without `std`."},
       {"data", "name of a file", "",
        "Measurements that targets are computed from, relative to this file: .csv or .nc."},
       {"columns", "table of names", "columns that are called like a state or an observable",
        "Which column holds which state, site of a field or observable: `{ x = \"nino34\", \"X[3]\" = \"buoy 3\" }`."},
       {"missing", "number", "blank cells, `nan` and `NA`",
        "A number that stands for a missing value, such as `-99.9`."},
       {"interval", "number > 0", "as a column of times in numbers says",
        "Time between two rows in units of the model; needed for the posterior predictive check."},
       {"reference", "table", "",
        "Instead of `data`: the statistics that the model itself has at other parameters, see "
        "[below](#targetsreference)."}}};
  return text;
}

const SectionText& target_section() {
  static const SectionText text{
      "targets.OBSERVABLE",
      "The target of an observable: `warm = { value = 0.07, std = 0.01 }`.",
      {{"value", "number", "", "What the average should be."},
       {"std", "number > 0", "", "Its standard error; left out where `covariance` is given."}}};
  return text;
}

const SectionText& target_reference_section() {
  static const SectionText text{
      "targets.reference",
      "A run of the model itself that targets are computed from.",
      {{"parameters", "table of numbers by parameter", "those of the model", "Those that differ: `{ F0 = 0.6 }`."},
       {"length", "number > 0", "`simulation.length`", "Of a member of that run."}}};
  return text;
}

const std::vector<std::string>& target_keys() {
  static const std::vector<std::string> keys = names_of(targets_section().keys);
  return keys;
}

TargetTable read_targets(const TomlEntry& section, const symbolic::Model& model, const std::filesystem::path& folder) {
  return TargetsReader(section, model, folder).read();
}

}  // namespace gfdt::problem

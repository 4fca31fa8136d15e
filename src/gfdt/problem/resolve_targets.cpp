#include "gfdt/problem/resolve_targets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "gfdt/base/nearest.hpp"
#include "gfdt/calibrate/targets/data_targets.hpp"
#include "gfdt/calibrate/targets/reference_targets.hpp"
#include "gfdt/codegen/program/component_names.hpp"
#include "gfdt/data/measurements.hpp"
#include "gfdt/parallel/ranks.hpp"
#include "gfdt/statistics/checks/pilot_run.hpp"
#include "gfdt/symbolic/derived/noise_amplitude.hpp"

namespace gfdt::problem {
namespace {

using calibrate::Targets;

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  const auto shown = static_cast<std::ptrdiff_t>(std::min(names.size(), most));
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + shown, ", "),
                     names.size() > most ? fmt::format(" and {} more", names.size() - most) : "");
}

/// The columns of a table as series of a model: those that are bound explicitly, and those with the name of a state or
/// an observable.
calibrate::Record record_of(const data::Measurements& table, const TargetData& data, const symbolic::Model& model) {
  calibrate::Record record;
  record.name = fmt::format("'{}'", data.file.filename().string());
  record.interval = data.interval ? *data.interval : table.interval.value_or(0);
  const auto take = [&](const std::string& name, const data::Measurements::Column& column) {
    if (column.unreadable) throw InputError(*column.unreadable);
    if (column.infinite)
      throw Error(
          fmt::format("'{}' of '{}' is infinite in row {}. Where a value is missing, write nan or the value of "
                      "its attribute _FillValue.",
                      column.name, table.file, *column.infinite));
    record.series.emplace(name, column.values);
    record.columns.emplace(name, column.name);
  };
  for (const auto& [name, column_name] : data.columns) {
    const data::Measurements::Column* column = table.find(column_name);
    if (!column)
      throw InputError(fmt::format("The file '{}' has no column '{}', which {} is bound to.{} It has {}.", table.file,
                                   column_name, name, suggestion(column_name, table.names()), listed(table.names())),
                       data.origin);
    take(name, *column);
  }
  std::vector<std::string> names = codegen::component_names(model);
  for (const symbolic::Observable& observable : model.observables) names.push_back(observable.name);
  for (const std::string& name : names)
    if (const data::Measurements::Column* column = table.find(name); column && !data.columns.contains(name))
      take(name, *column);
  if (record.series.empty())
    throw InputError(fmt::format("No column of '{}' is called like a state or an observable of the model. Bind one: "
                                 "columns = {{ {} = \"...\" }}. It has {}.",
                                 table.file, names[0], listed(table.names())),
                     data.origin);
  return record;
}

Targets measured_targets(const Problem& problem, const std::set<std::string>& given) {
  const TargetData& data = *problem.targets.data;
  try {
    const data::Measurements table = data::read_measurements(data.file, data.missing);
    Targets targets = calibrate::data_targets(problem.model, record_of(table, data, problem.model), given);
    targets.source = fmt::format("{} rows of {}", table.rows, data.file.filename().string());
    if (table.absent_rows > 0) targets.source += fmt::format(", {} of them left out there", table.absent_rows);
    if (table.cut_short)
      targets.remarks.push_back(
          fmt::format("The last line of '{}' has no line end: was the file cut off?", data.file.filename().string()));
    if (table.absent_rows > table.rows / 2)
      targets.remarks.push_back(fmt::format("Most times of '{}' have no row: {} of {}. Do its times run evenly?",
                                            data.file.filename().string(), table.absent_rows, table.rows));
    return targets;
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    throw InputError(error.what(), data.origin);
  }
}

Targets targets_of_reference(const Problem& problem, const std::set<std::string>& given,
                             const simulate::Control& control) {
  const TargetReference& reference = *problem.targets.reference;
  symbolic::Model model = problem.model;
  std::erase_if(model.observables,
                [&](const symbolic::Observable& observable) { return given.contains(observable.name); });
  std::vector<std::string> changes;
  for (symbolic::Parameter& parameter : model.parameters)
    if (const auto changed = reference.parameters.find(parameter.name); changed != reference.parameters.end()) {
      parameter.value = changed->second;
      changes.push_back(fmt::format("{} = {:g}", parameter.name, parameter.value));
    }
  simulate::Options options = problem.simulation;
  options.burn_in = statistics::choose_burn_in(model, options, control).time;
  if (reference.length) options.length = *reference.length;
  Targets targets =
      calibrate::reference_targets(model, options, control, problem.response.control_variate.value_or(true));
  targets.source =
      changes.empty() ? "a run of the model" : fmt::format("a run of the model at {}", fmt::join(changes, ", "));
  return targets;
}

/// Combines given and computed targets, whose errors are independent, in the order of the model's observables.
Targets joined(const Targets& given, const Targets& computed, const symbolic::Model& model) {
  if (given.size() == 0) return computed;
  Targets all;
  std::vector<std::size_t> places;  // indices into the concatenation of both
  for (const symbolic::Observable& observable : model.observables)
    for (const Targets* part : {&given, &computed}) {
      const auto found = std::ranges::find(part->observables, observable.name);
      if (found == part->observables.end()) continue;
      const auto i = static_cast<std::size_t>(found - part->observables.begin());
      all.observables.push_back(observable.name);
      all.value.push_back(part->value[i]);
      places.push_back(part == &given ? i : given.size() + i);
    }
  for (std::size_t i : places)
    for (std::size_t j : places) {
      const bool first = i < given.size(), other_first = j < given.size();
      const Targets& part = first ? given : computed;
      const std::size_t offset = first ? 0 : given.size();
      all.covariance.push_back(first == other_first ? part.covariance[(i - offset) * part.size() + j - offset] : 0.0);
    }
  all.degrees_of_freedom = computed.degrees_of_freedom;
  all.source = computed.size() == 0 ? given.source : fmt::format("given, and from {}", computed.source);
  all.remarks = computed.remarks;
  return all;
}

std::set<std::string> names_of(const Targets& targets) {
  return {targets.observables.begin(), targets.observables.end()};
}

}  // namespace

Targets given_targets(const TargetTable& table) {
  Targets targets;
  const std::size_t size = table.values.size();
  targets.covariance = table.covariance;
  targets.covariance.resize(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    targets.observables.push_back(table.values[i].observable);
    targets.value.push_back(table.values[i].value);
    if (table.values[i].std) targets.covariance[i * size + i] = *table.values[i].std * *table.values[i].std;
  }
  return targets;
}

Targets given_and_measured_targets(const Problem& problem) {
  const Targets given = given_targets(problem.targets);
  Targets all =
      joined(given, problem.targets.data ? measured_targets(problem, names_of(given)) : Targets{}, problem.model);
  ranks::require_same("values of the targets", all.value);
  ranks::require_same("errors of the targets", all.covariance);
  return all;
}

std::optional<calibrate::Record> measured_record(const Problem& problem) {
  if (!problem.targets.data) return {};
  const TargetData& data = *problem.targets.data;
  return record_of(data::read_measurements(data.file, data.missing), data, problem.model);
}

Targets resolve_targets(const Problem& problem, const simulate::Control& control) {
  Targets targets = given_and_measured_targets(problem);
  if (problem.targets.reference && targets.size() < problem.model.observables.size())
    targets = joined(targets, targets_of_reference(problem, names_of(targets), control), problem.model);
  if (const std::string wrong = targets.problem(); !wrong.empty()) throw Error(wrong);
  return targets;
}

std::vector<calibrate::FreeParameter> free_parameters(const Problem& problem) {
  std::vector<calibrate::FreeParameter> result;
  const auto add = [&](const symbolic::Parameter& parameter) {
    calibrate::FreeParameter& free = result.emplace_back(
        calibrate::FreeParameter{parameter.name, parameter.value, parameter.lower, parameter.upper});
    if (const auto prior = problem.priors.find(parameter.name); prior != problem.priors.end())
      free.prior = prior->second;
    // The sign of an amplitude has no effect, and at zero the statistics have no slope. The amplitude therefore keeps
    // the sign of its guess, or takes the sign of its prior.
    if (symbolic::is_noise_amplitude(problem.model, parameter.name)) {
      const bool may_flip = -free.value > free.lower && -free.value < free.upper;
      if (free.prior && free.prior->mean * free.value < 0 && may_flip) free.value = -free.value;
      if (free.value > 0) free.lower = std::max(free.lower, 0.0);
      if (free.value < 0) free.upper = std::min(free.upper, 0.0);
    }
    if (const std::string wrong = free.problem(); !wrong.empty()) {
      const auto text = std::ranges::find(problem.description.parameters, parameter.name,
                                          [](const symbolic::ParameterText& given) { return given.name.text; });
      throw InputError(wrong, text->name.origin);
    }
  };
  if (problem.free.empty())
    for (const symbolic::Parameter& parameter : problem.model.parameters) add(parameter);
  for (const std::string& name : problem.free) add(problem.model.parameter(name));
  return result;
}

}  // namespace gfdt::problem

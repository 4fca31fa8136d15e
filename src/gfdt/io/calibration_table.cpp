#include "gfdt/io/calibration_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gfdt/core/nearest.hpp"
#include "gfdt/io/options_table.hpp"

namespace gfdt::io {
namespace {

std::vector<std::string> parameter_names(const model::Model& model) {
  std::vector<std::string> names;
  for (const model::Parameter& parameter : model.parameters) names.push_back(parameter.name);
  return names;
}

std::string unknown_parameter(const std::string& name, const std::vector<std::string>& known) {
  if (std::ranges::find(known, name) != known.end()) return {};
  return fmt::format("'{}' is not a parameter of the model.{}", name, suggestion(name, known));
}

std::vector<std::string> read_free(const TomlValue& value, const model::Model& model) {
  const std::vector<std::string> known = parameter_names(model);
  std::vector<std::string> free;
  for (const TomlValue& item : value.array_items("calibration.free")) {
    const std::string& name = item.words("calibration.free");
    if (const std::string problem = unknown_parameter(name, known); !problem.empty())
      throw InputError(problem, item.text_place.origin());
    if (std::ranges::find(free, name) != free.end())
      throw InputError(fmt::format("The parameter '{}' is named twice.", name), item.text_place.origin());
    free.push_back(name);
  }
  if (free.empty()) value.fail("No parameter is named here; leave out 'free' to calibrate all of them.");
  return free;
}

std::map<std::string, calibrate::Prior> read_priors(const TomlValue& table, const model::Model& model) {
  const std::vector<std::string> known = parameter_names(model);
  std::map<std::string, calibrate::Prior> priors;
  for (const TomlEntry& entry : table.table_entries("calibration.priors")) {
    if (const std::string problem = unknown_parameter(entry.name, known); !problem.empty()) entry.fail(problem);
    const std::string what = "calibration.priors." + entry.name;
    if (!entry.value.is_table()) entry.value.fail_kind(what, "{ mean = ..., std = ... }");
    expect_keys(entry.value, what, std::vector<std::string>{"mean", "std"});
    const TomlEntry* mean = entry.value.find("mean");
    const TomlEntry* std = entry.value.find("std");
    if (!mean || !std)
      entry.fail(fmt::format("The prior of '{}' lacks its '{}': write {{ mean = ..., std = ... }}.", entry.name,
                             mean ? "std" : "mean"));
    const calibrate::Prior prior{mean->value.finite_number(what + ".mean"), std->value.finite_number(what + ".std")};
    if (!(prior.std > 0))
      std->value.fail(fmt::format("The std of the prior of '{}' is {:g}; it must be positive.", entry.name, prior.std));
    priors.emplace(entry.name, prior);
  }
  return priors;
}

int count(const TomlValue& value, const std::string& what) {
  return static_cast<int>(value.whole_number(what, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

void read_option(const TomlEntry& entry, calibrate::Options& options) {
  const std::string what = "calibration." + entry.name;
  const TomlValue& value = entry.value;
  if (entry.name == "algorithm") {
    const auto algorithm = calibrate::algorithm_named(value.words(what));
    if (!algorithm) fail_choice(value, what, calibrate::algorithm_names());
    options.algorithm = *algorithm;
  }
  if (entry.name == "weights") {
    const auto weights = calibrate::weighting_named(value.words(what));
    if (!weights) fail_choice(value, what, calibrate::weighting_names());
    options.weights = *weights;
  }
  if (entry.name == "ridge") options.ridge = value.finite_number(what);
  if (entry.name == "tikhonov") options.tikhonov = value.finite_number(what);
  if (entry.name == "trust_radius") options.trust_radius = value.finite_number(what);
  if (entry.name == "iterations") options.iterations = count(value, what);
  if (entry.name == "tolerance") options.tolerance = value.finite_number(what);
  if (entry.name == "until_noise") options.until_noise = value.truth(what);
  if (entry.name == "simulated_time") options.simulated_time = value.finite_number(what);
  if (entry.name == "confidence") options.confidence = value.finite_number(what);
  if (entry.name == "first_length") options.first_length = value.finite_number(what);
  if (entry.name == "condition_cap") options.condition_cap = value.finite_number(what);
  if (entry.name == "capped_step") options.capped_step = value.finite_number(what);
  if (entry.name == "halvings") options.halvings = count(value, what);
  if (entry.name == "stability_length") options.stability_length = value.finite_number(what);
  if (entry.name == "ensemble") options.ensemble = count(value, what);
  if (entry.name == "predictive_draws") options.predictive_draws = count(value, what);
  if (entry.name == "ensemble_spread") options.ensemble_spread = value.finite_number(what);
}

}  // namespace

const std::vector<std::string>& calibration_keys() {
  static const std::vector<std::string> keys{
      "free",           "priors",           "algorithm",    "weights",         "ridge",
      "tikhonov",       "trust_radius",     "iterations",   "tolerance",       "until_noise",
      "simulated_time", "confidence",       "first_length", "condition_cap",   "capped_step",
      "halvings",       "stability_length", "ensemble",     "ensemble_spread", "predictive_draws"};
  return keys;
}

CalibrationTable read_calibration(const TomlEntry& section, const model::Model& model) {
  CalibrationTable table;
  table.options = read_options<calibrate::Options>(section, calibration_keys(), read_option);
  if (const TomlEntry* free = section.value.find("free")) table.free = read_free(free->value, model);
  if (const TomlEntry* priors = section.value.find("priors")) table.priors = read_priors(priors->value, model);
  return table;
}

}  // namespace gfdt::io

#include "gfdt/problem/tables/calibration_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gfdt/base/nearest.hpp"
#include "gfdt/problem/tables/options_table.hpp"

namespace gfdt::problem {
namespace {

std::string unknown_parameter(const std::string& name, const symbolic::Model& model) {
  std::vector<std::string> known;
  for (const symbolic::Parameter& parameter : model.parameters) known.push_back(parameter.name);
  if (std::ranges::find(known, name) != known.end()) return {};
  return fmt::format("'{}' is not a parameter of the model.{}", name, suggestion(name, known));
}

void read_free(const TomlValue& value, const std::string& what, CalibrationTable& table) {
  for (const TomlValue& item : value.array_items(what)) {
    const std::string& name = item.words(what);
    if (std::ranges::find(table.free, name) != table.free.end())
      throw InputError(fmt::format("The parameter '{}' is named twice.", name), item.text_place.origin());
    table.free.push_back(name);
  }
  if (table.free.empty()) value.fail("No parameter is named here; leave out 'free' to calibrate all of them.");
}

void read_priors(const TomlValue& priors, const std::string& section, CalibrationTable& table) {
  for (const TomlEntry& entry : priors.table_entries(section)) {
    const std::string what = section + "." + entry.name;
    if (!entry.value.is_table()) entry.value.fail_kind(what, "{ mean = ..., std = ... }");
    expect_keys(entry.value, what, names_of(prior_section().keys));
    const TomlEntry* mean = entry.value.find("mean");
    const TomlEntry* std = entry.value.find("std");
    if (!mean || !std)
      entry.fail(fmt::format("The prior of '{}' lacks its '{}': write {{ mean = ..., std = ... }}.", entry.name,
                             mean ? "std" : "mean"));
    const calibrate::Prior prior{mean->value.finite_number(what + ".mean"), std->value.finite_number(what + ".std")};
    if (!(prior.std > 0))
      std->value.fail(fmt::format("The std of the prior of '{}' is {:g}; it must be positive.", entry.name, prior.std));
    table.priors.emplace(entry.name, prior);
  }
}

/// Throws InputError for a name that is not a parameter of the model.
void check_names(const TomlEntry& section, const symbolic::Model& model) {
  if (const TomlEntry* free = section.value.find("free"))
    for (const TomlValue& item : free->value.items)
      if (const std::string problem = unknown_parameter(item.text, model); !problem.empty())
        throw InputError(problem, item.text_place.origin());
  if (const TomlEntry* priors = section.value.find("priors"))
    for (const TomlEntry& entry : priors->value.entries)
      if (const std::string problem = unknown_parameter(entry.name, model); !problem.empty()) entry.fail(problem);
}

/// A key for an integer whose range problem() checks, including the sign.
Key<calibrate::Options> count(const char* name, const char* kind, int calibrate::Options::*member, const char* meaning,
                              const std::string& otherwise = {}) {
  Key<calibrate::Options> result = key(name, kind, member, meaning, otherwise);
  result.read = [member](const TomlValue& value, const std::string& what, calibrate::Options& options) {
    using Limits = std::numeric_limits<int>;
    options.*member = static_cast<int>(value.whole_number(what, Limits::min(), Limits::max()));
  };
  return result;
}

std::vector<Key<calibrate::Options>> keys_of_search() {
  return {
      choice("algorithm", &calibrate::Options::algorithm, calibrate::algorithm_names(),
             "Levenberg–Marquardt takes steps within a trust region, Gauss–Newton full steps, ensemble Kalman "
             "inversion needs no Jacobians."),
      choice("weights", &calibrate::Options::weights, calibrate::weighting_names(),
             "Of the mismatches: the inverse covariance of what they are uncertain by (`noise`), that of the "
             "observables themselves (`covariance`), the inverse variances of the observables (`variance`), or none."),
      key("ridge", "number ≥ 0", &calibrate::Options::ridge,
          "Added to the diagonal of the covariance of the observables."),
      key("tikhonov", "number ≥ 0", &calibrate::Options::tikhonov,
          "Regularisation γ, in columns of the Jacobian scaled to norm 1."),
      key("trust_radius", "number > 0", &calibrate::Options::trust_radius,
          "Of the first step: predicted change of the statistics, in standard deviations of the observables."),
      count("iterations", "whole number ≥ 1", &calibrate::Options::iterations, "At most."),
      key("tolerance", "number > 0", &calibrate::Options::tolerance, "Stop where the norm of the mismatch falls below.",
          "no such stop"),
      key("until_noise", "true or false", &calibrate::Options::until_noise,
          "Stop at the minimum: where the remaining step is below a tenth of a posterior standard error."),
      key("simulated_time", "number > 0", &calibrate::Options::simulated_time,
          "Stop when this much time was simulated, all members and runs together.", "no such stop"),
      key("confidence", "number > 0 and < 1", &calibrate::Options::confidence, "Of the region of the result."),
      key("first_length", "number > 0 and ≤ 1", &calibrate::Options::first_length,
          "Of the first runs, as a share of `simulation.length`; 1: all runs are equally long."),
      key("condition_cap", "number > 1", &calibrate::Options::condition_cap,
          "Of the scaled Jacobian, beyond which steps of Gauss–Newton are short."),
      key("capped_step", "number > 0", &calibrate::Options::capped_step, "Their length, relative to the parameters."),
      count("halvings", "whole number ≥ 0", &calibrate::Options::halvings,
            "Of a step that leads to unstable dynamics."),
      key("stability_length", "number ≥ 0 and ≤ 1", &calibrate::Options::stability_length,
          "Of the runs that check a step, as a share of `simulation.length`; 0: no checks."),
      count("ensemble", "whole number ≥ 3, or 0", &calibrate::Options::ensemble,
            "Members of ensemble Kalman inversion.", "0: ten for each parameter, 20 at least"),
      key("ensemble_spread", "number > 0", &calibrate::Options::ensemble_spread,
          "Of its first ensemble relative to the parameters, where there is no prior."),
      key("curvature", "true or false", &calibrate::Options::curvature,
          "Whether two runs per determined combination of parameters measure how the statistics curve within the 95 % "
          "region of the answer; up to 8 combinations."),
      count("predictive_draws", "whole number ≥ 20, or 0", &calibrate::Options::predictive_draws,
            "Draws of the parameters from their posterior, for the posterior predictive check; 0: none.")};
}

const std::vector<Key<CalibrationTable>>& keys_of_calibration() {
  static const std::vector<Key<CalibrationTable>> all = [] {
    std::vector<Key<CalibrationTable>> keys{
        {{"free", "list of names", "all parameters", "Those to calibrate: `[\"F0\", \"a\"]`."}, read_free},
        {{"priors", "table by parameter", "nothing is known", "Prior distributions, see [below](#calibrationpriors)."},
         read_priors}};
    for (const Key<calibrate::Options>& key : keys_of_search()) keys.push_back(within(&CalibrationTable::options, key));
    return keys;
  }();
  return all;
}

}  // namespace

const SectionText& calibration_section() {
  static const SectionText text{
      "calibration",
      "How parameters are found that have the targets' statistics ([calibration](calibration.md)). All keys can be "
      "left out. Bounds of parameters are those of `[model.parameters]`; the search starts inside them and never "
      "leaves.",
      texts_of(keys_of_calibration())};
  return text;
}

const SectionText& prior_section() {
  static const SectionText text{
      "calibration.priors",
      "The prior of a parameter: `F0 = { mean = 0.6, std = 0.1 }`.",
      {{"mean", "number", "", "Of a normal distribution."}, {"std", "number > 0", "", "Its width."}}};
  return text;
}

CalibrationTable read_calibration(const TomlEntry& section, const symbolic::Model& model) {
  CalibrationTable table = read_options(section, keys_of_calibration());
  check_names(section, model);
  return table;
}

}  // namespace gfdt::problem

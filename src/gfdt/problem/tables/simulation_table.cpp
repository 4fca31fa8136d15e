#include "gfdt/problem/tables/simulation_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gfdt/base/nearest.hpp"
#include "gfdt/problem/command_text.hpp"
#include "gfdt/problem/tables/options_table.hpp"

namespace gfdt::problem {
namespace {

/// All values that the keys of the section set.
struct Settings {
  simulate::Options run;
  ExternalCommand external;

  std::string problem() const {
    if (const std::string problem = run.problem(); !problem.empty()) return problem;
    if (!(external.timeout > 0))
      return fmt::format("The timeout is {} seconds; it must be positive.", external.timeout);
    return {};
  }
};

std::vector<Key<Settings>> keys_of_run() {
  using simulate::Options;
  const auto in_run = [](const Key<Options>& key) { return within(&Settings::run, key); };
  return {
      in_run(key("dt", "number > 0", &Options::dt, "Time step.")),
      in_run(key("members", "whole number ≥ 1", &Options::members,
                 "Independent copies that run side by side. Error bars come from their spread.")),
      in_run(key("length", "number > 0", &Options::length, "Time that is sampled, for each member.")),
      in_run(key("burn_in", "number ≥ 0", &Options::burn_in, "Time that is discarded first.",
                 "the transient and ten autocorrelation times of a pilot run, from a tenth to twice `length`")),
      in_run(key("cadence", "whole number ≥ 1", &Options::cadence, "Steps between samples.")),
      in_run(choice("scheme", &Options::scheme, simulate::scheme_names(),
                    "Euler–Maruyama is of weak order 1, `weak2` of weak order 2 for any noise; `rk4` takes Runge–Kutta "
                    "steps of the drift, and its noise stays of first order.")),
      in_run(choice("precision", &Options::precision, {"float", "double"},
                    "Of states and formulas. Models that depend on time need `double`.")),
      in_run(key("seed", "whole number ≥ 0", &Options::seed,
                 "Of all random numbers: the same seed gives the same bits on any number of threads."))};
}

std::vector<Key<Settings>> keys_of_command() {
  const auto retries = [](const TomlValue& value, const std::string& what, Settings& settings) {
    constexpr std::int64_t most_retries = 1000;
    settings.external.retries = static_cast<int>(value.whole_number(what, 0, most_retries));
  };
  return {within(&Settings::external, key("command", "string", &ExternalCommand::command,
                                          "A simulator of your own that `gfdt calibrate` runs, see "
                                          "[the guide](problem-file.md#a-simulator-of-your-own).",
                                          "the model's formulas are run")),
          within(&Settings::external, key("timeout", "number > 0", &ExternalCommand::timeout,
                                          "Seconds after which the command is stopped.")),
          {{"retries", "whole number from 0 to 1000", shown(ExternalCommand{}.retries),
            "Runs of the command after one that failed, each with another seed."},
           retries}};
}

const std::vector<Key<Settings>>& keys_of_simulation() {
  static const std::vector<Key<Settings>> all = [] {
    std::vector<Key<Settings>> keys = keys_of_run();
    for (Key<Settings>& key : keys_of_command()) keys.push_back(std::move(key));
    return keys;
  }();
  return all;
}

void check_places(const TomlValue& value, const symbolic::Model& model) {
  const std::vector<std::string> known = place_names(model);
  bool csv = false, netcdf = false;
  for (const CommandPlace& place : places_of(value.text)) {
    if (std::ranges::find(known, place.name) == known.end())
      throw InputError(fmt::format("Nothing is known that {{{}}} could stand for.{} Known: {}. Write {{{{{}}}}} for "
                                   "braces that the program is to see.",
                                   place.name, suggestion(place.name, known), fmt::join(known, ", "), place.name),
                       place_within(value.text_place.origin(), value.text, place.offset));
    csv = csv || place.name == "output" || place.name == "output.csv";
    netcdf = netcdf || place.name == "output.nc";
  }
  if (!csv && !netcdf)
    value.fail("The command has no {output}, the name of the file that it writes its trajectory to.");
  if (csv && netcdf) value.fail("The command has both {output} and {output.nc}: it can write one trajectory.");
}

}  // namespace

const SectionText& simulation_section() {
  static const SectionText text{"simulation", "How the model is run.", texts_of(keys_of_simulation())};
  return text;
}

const std::vector<std::string>& simulation_keys() {
  static const std::vector<std::string> names = names_of(simulation_section().keys);
  return names;
}

SimulationTable read_simulation(const TomlEntry& section, const symbolic::Model& model) {
  const Settings settings = read_options(section, keys_of_simulation());
  const TomlEntry* command = section.value.find("command");
  if (command) {
    check_places(command->value, model);
    return {settings.run, settings.external};
  }
  for (const char* name : {"timeout", "retries"})
    if (const TomlEntry* entry = section.value.find(name))
      entry->fail(fmt::format("'{}' is for a command, and there is no simulation.command.", name));
  return {settings.run, std::nullopt};
}

}  // namespace gfdt::problem

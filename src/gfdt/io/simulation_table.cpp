#include "gfdt/io/simulation_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "gfdt/core/nearest.hpp"
#include "gfdt/io/command_text.hpp"
#include "gfdt/io/options_table.hpp"

namespace gfdt::io {
namespace {

using simulate::Options;

void read_option(const TomlEntry& entry, Options& options) {
  const std::string what = "simulation." + entry.name;
  const TomlValue& value = entry.value;
  const auto whole = [&](std::int64_t most) { return value.whole_number(what, 0, most); };
  constexpr std::int64_t most_int = std::numeric_limits<int>::max();
  if (entry.name == "dt") options.dt = value.finite_number(what);
  if (entry.name == "members") options.members = static_cast<int>(whole(most_int));
  if (entry.name == "length") options.length = value.finite_number(what);
  if (entry.name == "burn_in") options.burn_in = value.finite_number(what);
  if (entry.name == "cadence") options.cadence = static_cast<int>(whole(most_int));
  if (entry.name == "seed") options.seed = static_cast<std::uint64_t>(whole(std::numeric_limits<std::int64_t>::max()));
  if (entry.name == "scheme") {
    const auto scheme = simulate::scheme_named(value.words(what));
    if (!scheme) fail_choice(value, what, simulate::scheme_names());
    options.scheme = *scheme;
  }
  if (entry.name == "precision") {
    const std::string& name = value.words(what);
    if (name != "float" && name != "double") fail_choice(value, what, {"float", "double"});
    options.precision = name == "float" ? simulate::Precision::single_precision : simulate::Precision::double_precision;
  }
}

void check_places(const TomlValue& value, const model::Model& model) {
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

const std::vector<std::string>& simulation_keys() {
  static const std::vector<std::string> keys{"dt",        "members", "length",  "burn_in", "cadence", "scheme",
                                             "precision", "seed",    "command", "timeout", "retries"};
  return keys;
}

simulate::Options read_simulation(const TomlEntry& section) {
  return read_options<Options>(section, simulation_keys(), read_option);
}

std::optional<ExternalCommand> read_command(const TomlEntry& section, const model::Model& model) {
  const TomlEntry* command = section.value.find("command");
  const TomlEntry* timeout = section.value.find("timeout");
  const TomlEntry* retries = section.value.find("retries");
  if (!command) {
    for (const TomlEntry* entry : {timeout, retries})
      if (entry) entry->fail(fmt::format("'{}' is for a command, and there is no simulation.command.", entry->name));
    return {};
  }
  ExternalCommand result;
  result.command = command->value.words("simulation.command");
  check_places(command->value, model);
  if (timeout) result.timeout = timeout->value.finite_number("simulation.timeout");
  if (!(result.timeout > 0))
    timeout->value.fail(fmt::format("The timeout is {} seconds; it must be positive.", result.timeout));
  constexpr std::int64_t most_retries = 1000;
  if (retries) result.retries = static_cast<int>(retries->value.whole_number("simulation.retries", 0, most_retries));
  return result;
}

}  // namespace gfdt::io

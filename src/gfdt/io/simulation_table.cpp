#include "gfdt/io/simulation_table.hpp"

#include <limits>

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

}  // namespace

const std::vector<std::string>& simulation_keys() {
  static const std::vector<std::string> keys{"dt",      "members", "length",    "burn_in",
                                             "cadence", "scheme",  "precision", "seed"};
  return keys;
}

simulate::Options read_simulation(const TomlEntry& section) {
  return read_options<Options>(section, simulation_keys(), read_option);
}

}  // namespace gfdt::io

#include "gfdt/io/simulation_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "gfdt/core/nearest.hpp"

namespace gfdt::io {
namespace {

using simulate::Options;

[[noreturn]] void fail_choice(const TomlValue& value, const std::string& what,
                              const std::vector<std::string>& choices) {
  throw InputError(fmt::format("{}: '{}' is not one of {}.{}", what, value.text, fmt::join(choices, ", "),
                               suggestion(value.text, choices)),
                   value.text_place.origin());
}

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

Options read_all(const TomlValue& table, const TomlEntry* left_out) {
  Options options;
  for (const TomlEntry& entry : table.entries)
    if (&entry != left_out) read_option(entry, options);
  return options;
}

/// Where in a sentence a key is spoken of: `burn_in` as "burn-in".
std::size_t mention(const std::string& sentence, std::string key) {
  std::ranges::replace(key, '_', '-');
  return sentence.find(key);
}

/// The key without which all would be well; of several, the one the problem speaks of first.
const TomlEntry& culprit(const TomlEntry& section, const std::string& problem) {
  const TomlEntry* found = nullptr;
  for (const TomlEntry& entry : section.value.entries)
    if (read_all(section.value, &entry).problem() != problem)
      if (!found || mention(problem, entry.name) < mention(problem, found->name)) found = &entry;
  return found ? *found : section;
}

}  // namespace

const std::vector<std::string>& simulation_keys() {
  static const std::vector<std::string> keys{"dt",      "members", "length",    "burn_in",
                                             "cadence", "scheme",  "precision", "seed"};
  return keys;
}

simulate::Options read_simulation(const TomlEntry& section) {
  expect_keys(section.value, "simulation", simulation_keys());
  const Options options = read_all(section.value, nullptr);
  const std::string problem = options.problem();
  if (problem.empty()) return options;
  culprit(section, problem).value.fail(problem);
}

}  // namespace gfdt::io

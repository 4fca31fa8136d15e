#pragma once

#include <string>
#include <vector>

#include "gfdt/io/toml_table.hpp"

namespace gfdt::io {

/// Throws InputError: the value is not one of the choices, with the nearest of them.
[[noreturn]] void fail_choice(const TomlValue& value, const std::string& what, const std::vector<std::string>& choices);

/// Where in a sentence a key is spoken of: `burn_in` as "burn-in" or "burn in".
std::size_t mention(const std::string& sentence, const std::string& key);

/// Options from a section of a file, each entry read by `read(entry, options)`. Options that make no sense, as their
/// `problem()` says, throw InputError at the key without which all would be well; of several, the one that the problem
/// speaks of first.
template <class Options, class Read>
Options read_options(const TomlEntry& section, const std::vector<std::string>& keys, Read read) {
  expect_keys(section.value, section.name, keys);
  const auto read_all = [&](const TomlEntry* left_out) {
    Options options;
    for (const TomlEntry& entry : section.value.entries)
      if (&entry != left_out) read(entry, options);
    return options;
  };
  const Options options = read_all(nullptr);
  const std::string problem = options.problem();
  if (problem.empty()) return options;
  const TomlEntry* culprit = nullptr;
  for (const TomlEntry& entry : section.value.entries)
    if (read_all(&entry).problem() != problem)
      if (!culprit || mention(problem, entry.name) < mention(problem, culprit->name)) culprit = &entry;
  (culprit ? *culprit : section).value.fail(problem);
}

}  // namespace gfdt::io

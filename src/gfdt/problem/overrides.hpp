#pragma once

#include <span>
#include <string>

#include "gfdt/problem/toml/toml_table.hpp"

namespace gfdt::problem {

/// One `key=value` of --set: the parts of its key, and the value.
struct Override {
  std::vector<TomlEntry> path;  ///< names and places of the parts; their values are unused
  TomlValue value;
};

Override parse_override(const std::string& text);

/// Puts the value at its place in a problem. The key is a path, `simulation.dt`; `model.` may be left out before its
/// tables, and a parameter or an option of the simulation may stand alone. Throws InputError for a key that cannot
/// exist.
void apply(const Override& change, TomlValue& problem);

}  // namespace gfdt::problem

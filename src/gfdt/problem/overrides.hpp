#pragma once

#include <span>
#include <string>

#include "gfdt/problem/toml/toml_table.hpp"

namespace gfdt::problem {

/// One `key=value` of --set: the parts of the key, and the value.
struct Override {
  std::vector<TomlEntry> path;  ///< names and source positions of the parts; their values are unused
  TomlValue value;
};

/// Throws InputError if the text is not of the form key=value.
Override parse_override(const std::string& text);

/// Sets the value in a problem document. The key is a path such as `simulation.dt`. The prefix `model.` may be omitted
/// before the tables of the model, and the section may be omitted for a parameter or a simulation option. Throws
/// InputError for an invalid key.
void apply(const Override& change, TomlValue& problem);

}  // namespace gfdt::problem

#pragma once

#include <string>
#include <vector>

#include "gfdt/io/toml_table.hpp"
#include "gfdt/simulate/options.hpp"

namespace gfdt::io {

/// The keys of [simulation].
const std::vector<std::string>& simulation_keys();

/// Reads [simulation]; throws InputError at the key that makes the options impossible.
simulate::Options read_simulation(const TomlEntry& section);

}  // namespace gfdt::io

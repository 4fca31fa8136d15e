#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gfdt/io/problem.hpp"
#include "gfdt/io/toml_table.hpp"
#include "gfdt/model/model.hpp"
#include "gfdt/simulate/options.hpp"

namespace gfdt::io {

/// The keys of [simulation].
const std::vector<std::string>& simulation_keys();

/// Reads [simulation]; throws InputError at the key that makes the options impossible.
simulate::Options read_simulation(const TomlEntry& section);

/// The command of [simulation], if there is one; throws InputError at whatever is wrong with it, at a place that
/// nothing is known to stand in for say.
std::optional<ExternalCommand> read_command(const TomlEntry& section, const model::Model& model);

}  // namespace gfdt::io

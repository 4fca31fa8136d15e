#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gfdt/io/key_text.hpp"
#include "gfdt/io/problem.hpp"
#include "gfdt/io/toml_table.hpp"
#include "gfdt/model/model.hpp"
#include "gfdt/simulate/options.hpp"

namespace gfdt::io {

/// What [simulation] says.
struct SimulationTable {
  simulate::Options options;
  std::optional<ExternalCommand> command;
};

/// [simulation] in the reference.
const SectionText& simulation_section();

/// The keys of [simulation].
const std::vector<std::string>& simulation_keys();

/// Reads [simulation]; throws InputError at the key that makes the options impossible, at a place in the command that
/// nothing is known to stand in for say.
SimulationTable read_simulation(const TomlEntry& section, const model::Model& model);

}  // namespace gfdt::io

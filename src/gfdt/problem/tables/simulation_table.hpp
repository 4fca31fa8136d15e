#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gfdt/problem/problem.hpp"
#include "gfdt/problem/tables/key_text.hpp"
#include "gfdt/problem/toml/toml_table.hpp"
#include "gfdt/simulate/options.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::problem {

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
SimulationTable read_simulation(const TomlEntry& section, const symbolic::Model& model);

}  // namespace gfdt::problem

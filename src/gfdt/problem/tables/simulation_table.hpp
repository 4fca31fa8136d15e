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

/// The contents of [simulation].
struct SimulationTable {
  simulate::Options options;
  std::optional<ExternalCommand> command;
};

/// The reference of [simulation].
const SectionText& simulation_section();

/// The keys of [simulation].
const std::vector<std::string>& simulation_keys();

/// Reads [simulation]. Throws InputError at the key that makes the options invalid, or at an unknown placeholder in the
/// command.
SimulationTable read_simulation(const TomlEntry& section, const symbolic::Model& model);

}  // namespace gfdt::problem

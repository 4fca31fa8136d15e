#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gfdt/io/problem.hpp"
#include "gfdt/io/toml_table.hpp"

namespace gfdt::io {

/// The keys of [targets] besides the names of observables. An observable of such a name is meant where its entry looks
/// like a target, { value = ... }.
const std::vector<std::string>& target_keys();

/// Reads [targets]; data files are looked for in `folder`. Throws InputError with the place of what is wrong.
TargetTable read_targets(const TomlEntry& section, const model::Model& model, const std::filesystem::path& folder);

}  // namespace gfdt::io

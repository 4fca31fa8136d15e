#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gfdt/problem/problem.hpp"
#include "gfdt/problem/tables/key_text.hpp"
#include "gfdt/problem/toml/toml_table.hpp"

namespace gfdt::problem {

/// [targets], an entry of it and [targets.reference] in the reference.
const SectionText& targets_section();
const SectionText& target_section();
const SectionText& target_reference_section();

/// The keys of [targets] besides the names of observables. An observable of such a name is meant where its entry looks
/// like a target, { value = ... }.
const std::vector<std::string>& target_keys();

/// Reads [targets]; data files are looked for in `folder`. Throws InputError with the place of what is wrong.
TargetTable read_targets(const TomlEntry& section, const symbolic::Model& model, const std::filesystem::path& folder);

}  // namespace gfdt::problem

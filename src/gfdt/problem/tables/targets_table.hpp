#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gfdt/problem/problem.hpp"
#include "gfdt/problem/tables/key_text.hpp"
#include "gfdt/problem/toml/toml_table.hpp"

namespace gfdt::problem {

/// The reference of [targets], of an entry of it, and of [targets.reference].
const SectionText& targets_section();
const SectionText& target_section();
const SectionText& target_reference_section();

/// The keys of [targets] other than names of observables. If an observable has such a name, an entry of the form {
/// value = ... } is its target.
const std::vector<std::string>& target_keys();

/// Reads [targets]; paths of data files are relative to `folder`. Throws InputError with the source position of an
/// error.
TargetTable read_targets(const TomlEntry& section, const symbolic::Model& model, const std::filesystem::path& folder);

}  // namespace gfdt::problem

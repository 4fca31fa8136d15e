#pragma once

#include <string>
#include <vector>

#include "gfdt/io/toml_table.hpp"
#include "gfdt/scoring/options.hpp"

namespace gfdt::io {

/// The keys of [score].
const std::vector<std::string>& score_keys();

/// Reads [score]; throws InputError at the key that makes the options impossible.
scoring::Options read_score(const TomlEntry& section);

}  // namespace gfdt::io

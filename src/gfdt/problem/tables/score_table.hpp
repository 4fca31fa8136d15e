#pragma once

#include "gfdt/problem/tables/key_text.hpp"
#include "gfdt/problem/toml/toml_table.hpp"
#include "gfdt/score/selection/options.hpp"

namespace gfdt::problem {

/// The reference of [score].
const SectionText& score_section();

/// Reads [score]. Throws InputError at the key that makes the options invalid.
score::Options read_score(const TomlEntry& section);

}  // namespace gfdt::problem

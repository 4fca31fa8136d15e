#pragma once

#include "gfdt/problem/tables/key_text.hpp"
#include "gfdt/problem/toml/toml_table.hpp"
#include "gfdt/score/selection/options.hpp"

namespace gfdt::problem {

/// [score] in the reference.
const SectionText& score_section();

/// Reads [score]; throws InputError at the key that makes the options impossible.
score::Options read_score(const TomlEntry& section);

}  // namespace gfdt::problem

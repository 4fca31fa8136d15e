#pragma once

#include "gfdt/jacobian/options.hpp"
#include "gfdt/problem/tables/key_text.hpp"
#include "gfdt/problem/toml/toml_table.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::problem {

/// The reference of [response].
const SectionText& response_section();

/// Reads [response]. Throws InputError at the key that makes the options invalid, or at a step for a name that is not a
/// parameter of the model.
jacobian::Options read_response(const TomlEntry& section, const symbolic::Model& model);

}  // namespace gfdt::problem

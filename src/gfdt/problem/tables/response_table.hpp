#pragma once

#include "gfdt/jacobian/options.hpp"
#include "gfdt/problem/tables/key_text.hpp"
#include "gfdt/problem/toml/toml_table.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::problem {

/// [response] in the reference.
const SectionText& response_section();

/// Reads [response]; throws InputError at the key that makes the options impossible, or at a step of what is not a
/// parameter of the model.
jacobian::Options read_response(const TomlEntry& section, const symbolic::Model& model);

}  // namespace gfdt::problem

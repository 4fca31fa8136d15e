#pragma once

#include <string>
#include <vector>

#include "gfdt/problem/tables/key_text.hpp"
#include "gfdt/problem/toml/toml_table.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::problem {

/// The reference of [model], of an entry of [model.parameters], of an entry of [model.initial], and of [observables].
const SectionText& model_section();
const SectionText& parameter_section();
const SectionText& initial_section();
const SectionText& observables_section();

/// The keys of [model], and those of them that are tables.
const std::vector<std::string>& model_keys();
const std::vector<std::string>& model_table_names();

/// Merges the tables of a problem file into those of the model file that it refers to: values of parameters are
/// replaced, entries of the other tables are replaced or added. New entries come last.
void lay_over(TomlValue& model_file, const TomlValue& problem);

/// Sets the value of a parameter and keeps its bounds; a table also replaces the bounds that it contains.
void set_parameter(TomlEntry& parameter, const TomlEntry& replacement);

/// Reads [model] and [observables] of a document. Throws InputError with the source position of an error.
symbolic::Description read_description(const TomlValue& document);

}  // namespace gfdt::problem

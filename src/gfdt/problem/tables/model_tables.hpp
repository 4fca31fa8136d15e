#pragma once

#include <string>
#include <vector>

#include "gfdt/problem/tables/key_text.hpp"
#include "gfdt/problem/toml/toml_table.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::problem {

/// [model], an entry of [model.parameters], one of [model.initial] and [observables] in the reference.
const SectionText& model_section();
const SectionText& parameter_section();
const SectionText& initial_section();
const SectionText& observables_section();

/// The keys of [model], and those among them that are tables.
const std::vector<std::string>& model_keys();
const std::vector<std::string>& model_table_names();

/// Lays a problem's own [model] and [observables] over those of the model file it names: values of parameters are
/// replaced, entries of the other tables replaced or added. New entries come last.
void lay_over(TomlValue& model_file, const TomlValue& problem);

/// Sets the value of a parameter, keeping its bounds; a table replaces the bounds it names as well.
void set_parameter(TomlEntry& parameter, const TomlEntry& replacement);

/// Reads [model] and [observables] of a document.
symbolic::Description read_description(const TomlValue& document);

}  // namespace gfdt::problem

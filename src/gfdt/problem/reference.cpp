#include "gfdt/problem/reference.hpp"

#include <fmt/format.h>

#include "gfdt/base/error.hpp"
#include "gfdt/base/nearest.hpp"
#include "gfdt/problem/tables/calibration_table.hpp"
#include "gfdt/problem/tables/model_tables.hpp"
#include "gfdt/problem/tables/response_table.hpp"
#include "gfdt/problem/tables/score_table.hpp"
#include "gfdt/problem/tables/simulation_table.hpp"
#include "gfdt/problem/tables/targets_table.hpp"

namespace gfdt::problem {
namespace {

constexpr const char* head = R"(# Reference of the problem file

`gfdt reference` prints this page from the tables that problem files are read by, `gfdt reference simulation` one section. How the parts work is in
[the guide](problem-file.md). Any other key is an error that names the nearest known one. Wherever a formula is expected a plain number will do.
)";

std::string markdown(const SectionText& section) {
  const bool whole = section.name.find('.') == std::string::npos;
  std::string text = fmt::format("\n{} `[{}]`\n\n{}\n", whole ? "##" : "###", section.name, section.opening);
  if (section.keys.empty()) return text;
  text += "\n| key | value | when left out | meaning |\n|---|---|---|---|\n";
  for (const KeyText& key : section.keys)
    text += fmt::format("| `{}` | {} | {} | {} |\n", key.name, key.kind, key.otherwise, key.meaning);
  return text;
}

}  // namespace

std::vector<SectionText> reference_sections() {
  return {model_section(),   parameter_section(), initial_section(),          observables_section(),
          targets_section(), target_section(),    target_reference_section(), simulation_section(),
          score_section(),   response_section(),  calibration_section(),      prior_section()};
}

std::string reference(const std::string& section) {
  std::string text = section.empty() ? head : "";
  std::vector<std::string> names;
  for (const SectionText& known : reference_sections()) {
    names.push_back(known.name);
    if (section.empty() || known.name == section || known.name.starts_with(section + ".")) text += markdown(known);
  }
  if (text.empty())
    throw Error(fmt::format("There is no section '{}' in a problem file.{}", section, suggestion(section, names)));
  return section.empty() ? text : text.substr(1);
}

}  // namespace gfdt::problem

#include "command_description.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace gfdt::app {
namespace {

/// A type as CLI11 has it: `METHOD:{gfdt,finite-difference}`, with what its checks have to say.
void read_type(const std::string& type, OptionDescription& described) {
  described.type = type.substr(0, type.find(':'));
  const std::size_t begin = type.find(":{");
  if (begin == std::string::npos || !type.ends_with('}')) return;
  described.choices = CLI::detail::split(type.substr(begin + 2, type.size() - begin - 3), ',');
}

Value value_of(const std::string& type, bool positional) {
  if (type == "FILE") return positional ? Value::problem_file : Value::file;
  if (type.ends_with("FILE")) return Value::file;
  return type == "DIR" || type == "RUN" ? Value::folder : Value::text;
}

OptionDescription describe_option(const CLI::Option& option) {
  OptionDescription described;
  described.text = option.get_description();
  described.required = option.get_required();
  if (option.nonpositional()) {
    for (const std::string& name : option.get_snames()) described.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) described.names.push_back("--" + name);
  } else {
    described.names.push_back(option.get_name(true));
  }
  if (option.get_type_size() == 0) return described;
  read_type(option.get_type_name(), described);
  described.value = value_of(described.type, !option.nonpositional());
  described.list = option.get_delimiter() == ',';
  described.repeats = option.get_expected_max() > 1 && !described.list;
  return described;
}

CommandDescription describe_command(const CLI::App& app, const std::string& name) {
  CommandDescription described{name, app.get_group(), app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options([](const CLI::Option* o) { return !o->get_group().empty(); }))
    (option->nonpositional() ? described.options : described.positionals).push_back(describe_option(*option));
  return described;
}

}  // namespace

std::vector<CommandDescription> describe(const CLI::App& app) {
  std::vector<CommandDescription> result{describe_command(app, "")};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* c) { return !c->get_group().empty(); }))
    result.push_back(describe_command(*command, command->get_name()));
  return result;
}

}  // namespace gfdt::app

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion.hpp"

namespace gfdt::app {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

/// Flags for the kind of value: -x completes no files, -r -F does.
std::string given(const OptionDescription& option) {
  const std::string choices =
      option.choices.empty() ? "" : " -a " + quoted(fmt::format("{}", fmt::join(option.choices, " ")));
  switch (option.value) {
    case Value::none:
      return "";
    case Value::folder:
      return " -x -a '(__fish_complete_directories)'";
    case Value::problem_file:
      return " -x -a '(__fish_complete_suffix .toml)'";
    case Value::file:
      return " -r -F" + choices;
    case Value::text:
      break;
  }
  return " -x" + choices;
}

std::string line(const std::string& condition, const OptionDescription& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return fmt::format("complete -c gfdt -n {}{}{} -d {}\n", quoted(condition), names, given(option),
                     quoted(option.text));
}

}  // namespace

std::string fish_completion(const std::vector<CommandDescription>& commands) {
  std::string script =
      "# fish completion of gfdt, printed by 'gfdt completion fish'.\n#   gfdt completion fish | source\n\n"
      "complete -c gfdt -f\n";
  for (const CommandDescription& command : commands) {
    if (command.name.empty()) {
      for (const OptionDescription& option : command.options) script += line("__fish_use_subcommand", option);
      continue;
    }
    script +=
        fmt::format("\ncomplete -c gfdt -n '__fish_use_subcommand' -a {} -d {}\n", command.name, quoted(command.text));
    const std::string inside = "__fish_seen_subcommand_from " + command.name;
    for (const OptionDescription& option : command.options) script += line(inside, option);
    for (const OptionDescription& option : command.positionals) {
      std::string what = given(option);
      if (what.starts_with(" -x")) what.erase(0, 3);
      if (!what.empty()) script += fmt::format("complete -c gfdt -n {}{}\n", quoted(inside), what);
    }
  }
  return script;
}

}  // namespace gfdt::app

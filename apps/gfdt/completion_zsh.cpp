#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion.hpp"

namespace gfdt::app {
namespace {

/// Text in single quotes; characters with a special meaning in zsh are escaped.
std::string quoted(const std::string& text, const char* marked) {
  std::string result;
  for (char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (std::string(marked).find(c) != std::string::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string action(const OptionDescription& option) {
  const std::string choices = fmt::format("{}", fmt::join(option.choices, " "));
  switch (option.value) {
    case Value::none:
      return "";
    case Value::folder:
      return "_files -/";
    case Value::problem_file:
      return "_files -g \"*.toml\"";
    case Value::file:
      return option.choices.empty() ? "_files" : " _gfdt_or_files " + choices;
    case Value::text:
      break;
  }
  if (option.choices.empty()) return " ";
  return option.list ? fmt::format("{{_values -s , {} {}}}", option.type, choices) : fmt::format("({})", choices);
}

/// A specification of _arguments.
std::string specification(const OptionDescription& option, bool positional) {
  const std::string after =
      option.value == Value::none ? "" : fmt::format(":{}:{}", quoted(option.type, ":"), quoted(action(option), ""));
  if (positional)
    return fmt::format("'{}:{}:{}'", option.required ? "" : ":", quoted(option.type, ":"), quoted(action(option), ""));
  std::string all;
  for (const std::string& name : option.names)
    all += fmt::format("{}'{}{}[{}]{}'", all.empty() ? "" : " ", option.repeats ? "*" : "", name,
                       quoted(option.text, "[]:\\"), after);
  return all;
}

}  // namespace

std::string zsh_completion(const std::vector<CommandDescription>& commands) {
  std::string script =
      "#compdef gfdt\n# zsh completion of gfdt, printed by 'gfdt completion zsh'. Keep it as _gfdt in a folder of "
      "$fpath.\n\n"
      "_gfdt_or_files() { _alternative \"choices:choice:($*)\" \"files:file:_files\" }\n\n_gfdt() {\n  local -a "
      "commands\n  commands=(\n";
  for (const CommandDescription& command : commands)
    if (!command.name.empty()) script += fmt::format("    '{}:{}'\n", command.name, quoted(command.text, ":\\"));
  script += "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    _arguments";
  for (const OptionDescription& option : commands.at(0).options) script += " \\\n      " + specification(option, false);
  script += "\n    return\n  fi\n  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const CommandDescription& command : commands) {
    if (command.name.empty()) continue;
    script += fmt::format("    {})\n      _arguments", command.name);
    for (const OptionDescription& option : command.options) script += " \\\n        " + specification(option, false);
    for (const OptionDescription& option : command.positionals) script += " \\\n        " + specification(option, true);
    script += "\n      ;;\n";
  }
  return script +
         "  esac\n}\n\nif [[ $funcstack[1] == _gfdt ]]; then\n  _gfdt \"$@\"\nelse\n  compdef _gfdt gfdt\nfi\n";
}

}  // namespace gfdt::app

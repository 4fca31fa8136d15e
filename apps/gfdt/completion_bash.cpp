#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion.hpp"

namespace gfdt::app {
namespace {

constexpr const char* head = R"(# bash completion of gfdt, printed by 'gfdt completion bash'.
#   source <(gfdt completion bash)

_gfdt_words() {
  local IFS=$' \t\n'
  COMPREPLY=($(compgen -W "$1" -- "$current"))
}

# What comes after the last comma; words that stand before it are not offered again.
_gfdt_list() {
  local IFS=$' \t\n' word before="" after="$current"
  if [[ $current == *,* ]]; then before="${current%,*}," after="${current##*,}"; fi
  for word in $(compgen -W "$1" -- "$after"); do
    [[ ",$before" == *",$word,"* ]] || COMPREPLY+=("$before$word")
  done
  compopt -o nospace 2>/dev/null
}

# Names are taken as they are, whatever patterns they would be.
_gfdt_files() {
  compopt -o filenames 2>/dev/null
  if [[ -n $1 ]]; then
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -X "!$1" -- "$current"; compgen -d -- "$current")
  else
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$current")
  fi
}

_gfdt_folders() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -d -- "$current")
}

_gfdt() {
  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"
  COMPREPLY=()
  # An option and its value may be one word for us and three for the shell: --out = folder
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $before == "=" && $COMP_CWORD -gt 2 ]]; then
    before="${COMP_WORDS[COMP_CWORD-2]}"
  fi
)";

constexpr const char* tail = R"(}

complete -F _gfdt gfdt
)";

/// The call that completes the value of an option or an argument.
std::string offer(const OptionDescription& option) {
  std::string call;
  if (!option.choices.empty())
    call = fmt::format("{} '{}'", option.list ? "_gfdt_list" : "_gfdt_words", fmt::join(option.choices, " "));
  switch (option.value) {
    case Value::file:
      return call.empty() ? "_gfdt_files" : call + "; _gfdt_files";
    case Value::problem_file:
      return "_gfdt_files '*.toml'";
    case Value::folder:
      return "_gfdt_folders";
    case Value::text:
    case Value::none:
      break;
  }
  return call.empty() ? ":" : call;
}

std::string names_of(const CommandDescription& command) {
  std::vector<std::string> names;
  for (const OptionDescription& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return fmt::format("{}", fmt::join(names, " "));
}

}  // namespace

std::string bash_completion(const std::vector<CommandDescription>& commands) {
  std::vector<std::string> names;
  for (const CommandDescription& command : commands)
    if (!command.name.empty()) names.push_back(command.name);
  std::string script = head;
  script += fmt::format("  if [[ $COMP_CWORD -eq 1 ]]; then\n    _gfdt_words '{} {}'\n    return\n  fi\n",
                        fmt::join(names, " "), names_of(commands.at(0)));
  script += "  case \"$command $before\" in\n";
  for (const CommandDescription& command : commands)
    for (const OptionDescription& option : command.options)
      for (const std::string& name : option.names)
        if (!command.name.empty() && option.value != Value::none)
          script += fmt::format("    '{} {}') {}; return ;;\n", command.name, name, offer(option));
  script += "  esac\n  case \"$command $current\" in\n";
  for (const CommandDescription& command : commands)
    if (!command.name.empty())
      script += fmt::format("    '{} -'*) _gfdt_words '{}' ;;\n", command.name, names_of(command));
  for (const CommandDescription& command : commands)
    if (!command.positionals.empty())
      script += fmt::format("    '{} '*) {} ;;\n", command.name, offer(command.positionals[0]));
  return script + "  esac\n" + tail;
}

}  // namespace gfdt::app

#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gfdt::app {

/// Kind of value of an option or a positional argument.
enum class Value { none, text, file, folder, problem_file };

struct OptionDescription {
  std::vector<std::string> names;  ///< with their dashes; for a positional argument its name
  std::string text;                ///< description
  std::string type;                ///< FILE, DIR, N …
  Value value = Value::none;
  std::vector<std::string> choices;
  bool list = false;     ///< whether the value is a comma-separated list
  bool repeats = false;  ///< whether it may be repeated
  bool required = false;
};

struct CommandDescription {
  std::string name;  ///< empty: the program itself
  std::string group;
  std::string text;
  std::string footer;
  std::vector<OptionDescription> options, positionals;
};

/// The program, then its commands in the order of the help, as defined in the parser. Shell completions and the man
/// page are generated from it.
std::vector<CommandDescription> describe(const CLI::App& app);

}  // namespace gfdt::app

#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gfdt::app {

/// What an option or a positional argument is given.
enum class Value { none, text, file, folder, problem_file };

struct OptionDescription {
  std::vector<std::string> names;  ///< with their dashes; of a positional argument its own
  std::string text;                ///< what it does
  std::string type;                ///< FILE, DIR, N …
  Value value = Value::none;
  std::vector<std::string> choices;
  bool list = false;     ///< several of them, with commas
  bool repeats = false;  ///< may be given again
  bool required = false;
};

struct CommandDescription {
  std::string name;  ///< empty: the program itself
  std::string group;
  std::string text;
  std::string footer;
  std::vector<OptionDescription> options, positionals;
};

/// The program, then its commands in the order of help, as the parser has them: shell completions and the man page are
/// made from it.
std::vector<CommandDescription> describe(const CLI::App& app);

}  // namespace gfdt::app

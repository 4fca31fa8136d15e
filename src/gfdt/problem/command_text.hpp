#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::problem {

/// A name in braces, `{seed}`, that a command is to have something else in place of. `${HOME}` is left to the shell,
/// and so are braces around anything but a name; `{{seed}}` stands for `{seed}` itself.
struct CommandPlace {
  std::size_t offset = 0;  ///< of the opening brace
  std::string name;
};

std::vector<CommandPlace> places_of(const std::string& command);

/// The names that a command may use for a model: those of the run, and of the model's parameters. Where a parameter is
/// called like something of the run, the name stands for the latter.
std::vector<std::string> place_names(const symbolic::Model& model);

/// The command with every place filled in; places without a value stay as they are.
std::string fill_in(const std::string& command, const std::map<std::string, std::string>& values);

/// A word of a shell's command, quoted where it needs to be.
std::string shell_word(const std::string& text);

}  // namespace gfdt::problem

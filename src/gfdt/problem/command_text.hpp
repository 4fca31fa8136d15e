#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::problem {

/// A placeholder of a command: a name in braces, such as `{seed}`. `${HOME}` is left to the shell, and so are braces
/// around anything but a name; `{{seed}}` stands for a literal `{seed}`.
struct CommandPlace {
  std::size_t offset = 0;  ///< position of the opening brace
  std::string name;
};

std::vector<CommandPlace> places_of(const std::string& command);

/// The placeholders that a command may contain: quantities of the run, and parameters of the model. If a parameter has
/// the name of a quantity of the run, the placeholder refers to the latter.
std::vector<std::string> place_names(const symbolic::Model& model);

/// The command with all placeholders replaced; those without a value remain unchanged.
std::string fill_in(const std::string& command, const std::map<std::string, std::string>& values);

/// The text as one word of a shell command, quoted if necessary.
std::string shell_word(const std::string& text);

}  // namespace gfdt::problem

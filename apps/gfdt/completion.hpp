#pragma once

#include <string>
#include <vector>

#include "command_description.hpp"

namespace gfdt::app {

/// Scripts that complete the commands, their options and values in a shell.
std::string bash_completion(const std::vector<CommandDescription>& commands);
std::string zsh_completion(const std::vector<CommandDescription>& commands);
std::string fish_completion(const std::vector<CommandDescription>& commands);

}  // namespace gfdt::app

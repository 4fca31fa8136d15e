#pragma once

#include <string>
#include <vector>

#include "command_description.hpp"

namespace gfdt::app {

/// A script that teaches a shell the commands, their options and what these are given.
std::string bash_completion(const std::vector<CommandDescription>& commands);
std::string zsh_completion(const std::vector<CommandDescription>& commands);
std::string fish_completion(const std::vector<CommandDescription>& commands);

}  // namespace gfdt::app

#pragma once

#include <string>
#include <vector>

#include "command_description.hpp"

namespace gfdt::app {

/// gfdt(1), in roff.
std::string man_page(const std::vector<CommandDescription>& commands, const std::string& version);

}  // namespace gfdt::app

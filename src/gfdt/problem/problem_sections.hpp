#pragma once

#include <string>
#include <vector>

namespace gfdt::problem {

/// The names of the sections of a problem file.
const std::vector<std::string>& section_names();

}  // namespace gfdt::problem

#pragma once

#include <string>
#include <vector>

namespace gfdt::problem {

/// The sections of a problem file.
const std::vector<std::string>& section_names();

}  // namespace gfdt::problem

#pragma once

#include <string>
#include <vector>

#include "gfdt/problem/tables/key_text.hpp"

namespace gfdt::problem {

/// Every table of a problem file, in the order of the reference.
std::vector<SectionText> reference_sections();

/// The reference of the problem file in Markdown, for the whole file or for one table and those inside it, such as
/// `model` or `calibration.priors`. Throws Error if there is no such table.
std::string reference(const std::string& section = "");

}  // namespace gfdt::problem

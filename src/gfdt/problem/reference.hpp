#pragma once

#include <string>
#include <vector>

#include "gfdt/problem/tables/key_text.hpp"

namespace gfdt::problem {

/// Every table of a problem file, in the order of the reference.
std::vector<SectionText> reference_sections();

/// The reference of the problem file in Markdown: of all of it, or of one table with those inside it, `model` or
/// `calibration.priors`. Throws Error where there is no such table.
std::string reference(const std::string& section = "");

}  // namespace gfdt::problem

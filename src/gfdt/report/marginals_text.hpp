#pragma once

#include <string>
#include <vector>

#include "gfdt/score/certificate/marginals.hpp"

namespace gfdt::report {

/// Marginal densities of data and score in block characters, three lines each, for a terminal. Of many, those farthest
/// from the data are shown.
std::string marginals_text(const std::vector<score::Marginal>& marginals);

}  // namespace gfdt::report

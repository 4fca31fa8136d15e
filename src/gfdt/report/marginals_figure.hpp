#pragma once

#include <string>
#include <vector>

#include "gfdt/certificate/marginals.hpp"

namespace gfdt::report {

/// Panels of the figure and of the text; of more marginals those farthest from the data are shown.
inline constexpr std::size_t most_panels = 24;

/// The marginals that are shown, in their own order.
std::vector<const certificate::Marginal*> shown_marginals(const std::vector<certificate::Marginal>& marginals);

/// One self-contained SVG of small multiples: the data as filled steps, the Langevin chains of the score as a line.
/// Readable on light and dark grounds.
std::string marginals_svg(const std::vector<certificate::Marginal>& marginals);

/// The same in block characters, three lines a marginal, for a terminal.
std::string marginals_text(const std::vector<certificate::Marginal>& marginals);

}  // namespace gfdt::report

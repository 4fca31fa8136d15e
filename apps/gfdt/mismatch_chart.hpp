#pragma once

#include <string>
#include <vector>

namespace gfdt::app {

struct ChartStep {
  double mismatch = 0;
  bool accepted = true;  ///< rejected steps are drawn faintly
};

/// Bars of the mismatch on a logarithmic scale, one per step, and a line at the noise level (0 for none), in block
/// characters or in ASCII. If there are more steps than `columns` can show (0: no limit), the worst of neighbouring
/// steps is drawn. Empty for fewer than two steps. Returns rows of text, the top one first.
std::vector<std::string> mismatch_chart(const std::vector<ChartStep>& steps, double noise, bool unicode,
                                        std::size_t columns);

}  // namespace gfdt::app

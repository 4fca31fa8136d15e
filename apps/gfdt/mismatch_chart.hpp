#pragma once

#include <string>
#include <vector>

namespace gfdt::app {

struct ChartStep {
  double mismatch = 0;
  bool accepted = true;  ///< what was taken back is drawn faintly
};

/// Bars of the mismatch on a logarithmic scale, a step each, and a line at the level of the noise (0 for none); in
/// block characters, or in ASCII. Of more steps than `columns` has room for (0: no limit) the worst of neighbours is
/// drawn. Empty where there are not two steps to compare. Rows of text, the top one first.
std::vector<std::string> mismatch_chart(const std::vector<ChartStep>& steps, double noise, bool unicode,
                                        std::size_t columns);

}  // namespace gfdt::app

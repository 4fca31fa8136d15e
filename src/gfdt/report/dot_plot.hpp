#pragma once

#include <string>
#include <vector>

#include "gfdt/report/plot.hpp"

namespace gfdt::report {

/// One value per row, drawn as points of one colour.
struct DotSeries {
  std::string group, colour;
  std::string symbol = "circle";
  Values values;
  std::vector<std::string> words;  ///< shown under the pointer
};

/// Named rows from top to bottom with points along a common axis.
struct DotPlot {
  std::string across;
  std::vector<std::string> rows;
  std::vector<DotSeries> series;
  double reach = 0;          ///< the axis ends at ±reach, and values beyond are triangles at its end; 0: no end
  bool logarithmic = false;  ///< shares in per cent; values that are not positive are left out
  bool bands = false;        ///< shades ±1 and ±2
};

Panel dot_plot(const DotPlot& plot);

/// Pixels.
int dot_plot_height(std::size_t rows);

/// Rows that can be told apart in one figure; of more, the caller draws those that matter.
inline constexpr std::size_t most_dot_rows = 120;

}  // namespace gfdt::report

#pragma once

#include <string>
#include <vector>

#include "gfdt/report/page.hpp"

namespace gfdt::report {

/// Numbers in a grid, with colours from −1 to 1.
struct HeatMap {
  std::string title;
  std::vector<std::string> rows, columns;
  std::vector<std::vector<double>> colour = {};      ///< [row][column], between −1 and 1
  std::vector<std::vector<std::string>> text = {};   ///< inside each field
  std::vector<std::vector<std::string>> hover = {};  ///< under the pointer; the text where it is empty
};

Panel heat_map(const HeatMap& map);

/// Pixels.
int heat_map_height(std::size_t rows);

}  // namespace gfdt::report

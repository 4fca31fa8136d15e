#pragma once

#include <string_view>

namespace gfdt::report {

// The files of web/, as they were when the program was built.

std::string_view style_sheet();
/// Draws the figures.
std::string_view figure_script();
/// Filters and sorts long tables.
std::string_view table_script();
/// Empty if it was not installed.
std::string_view plotting_library();

}  // namespace gfdt::report

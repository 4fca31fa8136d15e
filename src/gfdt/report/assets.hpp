#pragma once

#include <string_view>

namespace gfdt::report {

/// What a page holds beside its content: the files of web/, as they were when the program was built.
std::string_view style_sheet();
std::string_view script();
/// Empty where it was not installed.
std::string_view plotting_library();

}  // namespace gfdt::report

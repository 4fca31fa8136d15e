#pragma once

#include <string>
#include <string_view>

namespace gfdt::report {

/// Shortens enumerations: "a1, a2, a3, a4, a5, a6, a7 and a8 are correlated" becomes "a1, a2, a3, … and 5 more are
/// correlated", and "+1 : +2 : …" likewise. Lists of up to `longest_list` items remain as they are.
std::string with_short_lists(const std::string& text);

inline constexpr std::size_t longest_list = 7, items_kept = 3;

/// "3 targets", "1 target".
std::string counted(std::size_t count, std::string_view what);

}  // namespace gfdt::report

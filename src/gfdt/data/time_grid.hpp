#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gfdt::data {

/// Days since 1970 of a date in the manner of ISO 8601: 1950-01, 1950-01-31, 1950-01-31T06:00[:00][Z], a blank for the
/// T; nothing for other texts.
std::optional<double> days_of_date(std::string_view text);

/// Increasing times on an even grid, some of whose points may be left out. Steps may differ by a fifth, as months do.
struct TimeGrid {
  std::vector<std::size_t> row;       ///< of each time, counted from the first
  std::optional<std::size_t> uneven;  ///< the first time that is on no grid with the others; then there are no rows

  std::size_t rows() const { return row.empty() ? 0 : row.back() + 1; }
};
TimeGrid time_grid(std::span<const double> times);

}  // namespace gfdt::data

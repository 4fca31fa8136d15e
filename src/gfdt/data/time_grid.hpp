#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gfdt::data {

/// Days since 1970-01-01 for a date in the style of ISO 8601: 1950-01, 1950-01-31, 1950-01-31T06:00[:00][Z], where a
/// blank may replace the T. Nothing for other texts.
std::optional<double> days_of_date(std::string_view text);

/// Assigns increasing times to an even grid, of which points may be missing. Steps may differ by a fifth, as months do.
struct TimeGrid {
  std::vector<std::size_t> row;       ///< row of each time, counted from the first time
  std::optional<std::size_t> uneven;  ///< index of the first time that does not fit the grid; `row` is then empty

  std::size_t rows() const { return row.empty() ? 0 : row.back() + 1; }
};
TimeGrid time_grid(std::span<const double> times);

}  // namespace gfdt::data

#include "gfdt/score/fields/field.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gfdt::score {
namespace {

/// Number of directions evaluated together: large enough for matrix products, small enough for the cache.
constexpr std::size_t most_directions = 32;

std::vector<int> distinct_columns(std::span<const JacobianEntry> entries) {
  std::vector<int> columns;
  for (const JacobianEntry& entry : entries) columns.push_back(entry.column);
  std::ranges::sort(columns);
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

}  // namespace

void Field::jacobian(const double* x, int lanes, std::span<const JacobianEntry> entries, double* s,
                     double* values) const {
  const std::vector<int> columns = distinct_columns(entries);
  if (columns.empty()) return evaluate(x, lanes, s);
  const std::size_t width = static_cast<std::size_t>(lanes), block = width * static_cast<std::size_t>(dimension_);
  std::vector<double> v, sv;
  for (std::size_t first = 0; first < columns.size(); first += most_directions) {
    const std::size_t count = std::min(most_directions, columns.size() - first);
    v.assign(count * block, 0.0);
    sv.resize(count * block);
    for (std::size_t c = 0; c < count; ++c)
      std::fill_n(&v[c * block + static_cast<std::size_t>(columns[first + c]) * width], width, 1.0);
    differentiate(x, lanes, static_cast<int>(count), v.data(), s, sv.data());
    const auto begin = columns.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const auto found = std::lower_bound(begin, end, entries[e].column);
      if (found == end || *found != entries[e].column) continue;
      const double* derivative = &sv[static_cast<std::size_t>(found - begin) * block];
      std::copy_n(derivative + static_cast<std::size_t>(entries[e].row) * width, width, values + e * width);
    }
  }
}

}  // namespace gfdt::score

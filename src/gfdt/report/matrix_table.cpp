#include "gfdt/report/matrix_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/report/document.hpp"

namespace gfdt::report {
namespace {

using Matrix = std::vector<std::vector<double>>;

Table whole(const std::string& caption, const std::vector<std::string>& names, const Matrix& matrix) {
  Table table{caption, {""}, {}};
  table.heading.insert(table.heading.end(), names.begin(), names.end());
  for (std::size_t i = 0; i < names.size(); ++i) {
    table.rows.push_back({names[i]});
    for (std::size_t j = 0; j < names.size(); ++j) {
      const double value = at(matrix, i, j);
      table.rows.back().push_back(std::isfinite(value) ? fmt::format("{:.4g}", value) : i == j ? "∞" : "–");
    }
  }
  return table;
}

struct Entry {
  std::size_t row, column;
  double correlation;
};

Table largest(const std::string& caption, const std::string& key, const std::vector<std::string>& names,
              const Matrix& matrix) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = i + 1; j < names.size(); ++j) {
      const double scale = std::sqrt(at(matrix, i, i) * at(matrix, j, j)), correlation = at(matrix, i, j) / scale;
      if (std::isfinite(correlation)) entries.push_back({i, j, correlation});
    }
  const std::size_t all = entries.size();
  std::ranges::stable_sort(entries, std::ranges::greater{}, [](const Entry& e) { return std::abs(e.correlation); });
  if (entries.size() > largest_entries) entries.resize(largest_entries);
  Table table{fmt::format("{}: the {} largest of {} entries off the diagonal, relative to the diagonal; all are in "
                          "result.json under {}",
                          caption, entries.size(), all, key),
              {"row", "column", "entry", "correlation"},
              {}};
  for (const Entry& e : entries)
    table.rows.push_back({names[e.row],
                          {names[e.column], "text"},
                          fmt::format("{:.4g}", at(matrix, e.row, e.column)),
                          fmt::format("{:+.3f}", e.correlation)});
  return table;
}

}  // namespace

Table matrix_table(const std::string& caption, const std::string& key, const std::vector<std::string>& names,
                   const Matrix& matrix) {
  return names.size() > most_in_matrix ? largest(caption, key, names, matrix) : whole(caption, names, matrix);
}

}  // namespace gfdt::report

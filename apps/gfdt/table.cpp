#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gfdt::app {
namespace {

/// Columns that a text takes on a terminal: characters of UTF-8, not bytes.
std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

void Table::print(std::FILE* file) const {
  std::vector<std::size_t> width;
  for (const auto& row : rows_) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], columns(row[i]));
  }
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string padding(width[i] - columns(row[i]), ' ');
      line += i == 0 ? row[i] + padding : "   " + padding + row[i];
    }
    while (line.ends_with(' ')) line.pop_back();
    fmt::print(file, "  {}\n", line);
  }
}

std::string with_error(double value, double error) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  if (!(error > 0) || !std::isfinite(error)) return fmt::format("{:.6g}", value);
  int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), 0, 15);
  if (decimals == 15 || std::abs(value) >= 1e9) return fmt::format("{:.6e} ± {:.1e}", value, error);
  return fmt::format("{:.{}f} ± {:.{}f}", value, decimals, error, decimals);
}

void print_findings(std::FILE* file, const std::vector<statistics::Finding>& findings) {
  bool problems = false;
  for (const statistics::Finding& finding : findings) {
    fmt::print(file, "  {} {}: {}\n", finding.passed ? "✓" : "✗", finding.check, finding.verdict);
    if (!finding.passed && !finding.advice.empty()) fmt::print(file, "      {}\n", finding.advice);
    problems |= !finding.passed;
  }
  if (!problems) fmt::print(file, "  No problems detected.\n");
}

}  // namespace gfdt::app

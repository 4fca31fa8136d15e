#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

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

std::vector<std::string> parameter_names(const model::Model& model) {
  std::vector<std::string> names;
  for (const model::Parameter& parameter : model.parameters) names.push_back(parameter.name);
  return names;
}

std::vector<std::string> observable_names(const model::Model& model) {
  std::vector<std::string> names;
  for (const model::Observable& observable : model.observables) names.push_back(observable.name);
  return names;
}

std::string with_error(double value, double error) {
  if (!std::isfinite(value)) return "undefined";
  constexpr double rounding = 1e-12;
  if (!(error > rounding * std::abs(value)) || !std::isfinite(error)) return fmt::format("{:.6g}", value);
  int power = static_cast<int>(std::floor(std::log10(std::max(std::abs(value), error))));
  if (power < -3 || power > 5) {
    double scale = std::pow(10.0, power);
    return fmt::format("({})e{}", with_error(value / scale, error / scale), power);
  }
  int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), 0, 15);
  return fmt::format("{:.{}f} ± {:.{}f}", value, decimals, error, decimals);
}

void print_findings(std::FILE* file, const std::vector<statistics::Finding>& findings, bool close) {
  bool problems = false;
  for (const statistics::Finding& finding : findings) {
    fmt::print(file, "  {} {}: {}\n", finding.passed ? "✓" : "✗", finding.check, finding.verdict);
    if (!finding.passed && !finding.advice.empty()) fmt::print(file, "      {}\n", finding.advice);
    problems |= !finding.passed;
  }
  if (close && !problems) fmt::print(file, "  No problems detected.\n");
}

void print_failures(std::FILE* file, const std::vector<statistics::Finding>& findings) {
  for (const statistics::Finding& finding : findings)
    if (!finding.passed && finding.fatal)
      fmt::print(file, "{}: {} {}\n", finding.check, finding.verdict, finding.advice);
}

}  // namespace gfdt::app

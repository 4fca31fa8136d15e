#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "gfdt/base/with_error.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
#include "styled_text.hpp"

namespace gfdt::app {

/// A text table: the first column is left-aligned, the others right-aligned, with fitted widths. A table that is wider
/// than the terminal is split into several, each with the first `keys` columns. Cells may be styled.
class Table {
 public:
  explicit Table(std::vector<std::string> heading, std::size_t keys = 1) : rows_{std::move(heading)}, keys_(keys) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print(std::FILE* file) const;
  /// The lines of the table for this number of columns; 0 for no limit.
  std::vector<std::string> lines(std::size_t limit) const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::size_t keys_;
};

std::vector<std::string> parameter_names(const symbolic::Model& model);
std::vector<std::string> observable_names(const symbolic::Model& model);

/// The average without control variate; empty if none was used.
std::string plain_text(const statistics::Average& average);

/// ✓ or ✗
std::string tick(bool passed);

/// `! ` and a sentence each.
void print_remarks(std::FILE* file, const std::vector<std::string>& remarks);

/// Prints a faint line that describes how a result was computed.
void put_secondary(std::FILE* file, std::string_view text);

/// The checks of a run, each with verdict and advice, closing with «no problems detected» when that is so
/// and `close`.
void print_diagnostics(std::FILE* file, const std::vector<Diagnostic>& diagnostics, bool close = true);
/// Prints only failures that make the numbers unusable, for quiet runs.
void print_failures(std::FILE* file, const std::vector<Diagnostic>& diagnostics);

}  // namespace gfdt::app

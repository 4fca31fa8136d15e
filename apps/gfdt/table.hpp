#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "gfdt/base/with_error.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
#include "styled_text.hpp"

namespace gfdt::app {

/// A table for people: the first column to the left, the others to the right, widths to fit. One that is wider than the
/// terminal is cut into several below each other, which all have the first `keys` columns. Cells may be styled.
class Table {
 public:
  explicit Table(std::vector<std::string> heading, std::size_t keys = 1) : rows_{std::move(heading)}, keys_(keys) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print(std::FILE* file) const;
  /// The lines of it where there are so many columns; 0 for no limit.
  std::vector<std::string> lines(std::size_t limit) const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::size_t keys_;
};

std::vector<std::string> parameter_names(const symbolic::Model& model);
std::vector<std::string> observable_names(const symbolic::Model& model);

/// What an average was without a control variate; empty where there was none.
std::string plain_text(const statistics::Average& average);

/// ✓ or ✗
std::string tick(bool passed);

/// `! ` and a sentence each.
void print_remarks(std::FILE* file, const std::vector<std::string>& remarks);

/// How a result came about: a line set back.
void put_secondary(std::FILE* file, std::string_view text);

/// The checks of a run, each with verdict and advice, closing with «no problems detected» when that is so
/// and `close`.
void print_diagnostics(std::FILE* file, const std::vector<Diagnostic>& diagnostics, bool close = true);
/// Only what makes the numbers unusable, for runs that are to be silent otherwise.
void print_failures(std::FILE* file, const std::vector<Diagnostic>& diagnostics);

}  // namespace gfdt::app

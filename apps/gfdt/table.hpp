#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::app {

/// A table for people: the first column to the left, the others to the right, widths to fit.
class Table {
 public:
  explicit Table(std::vector<std::string> heading) : rows_{std::move(heading)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print(std::FILE* file) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::vector<std::string> parameter_names(const model::Model& model);
std::vector<std::string> observable_names(const model::Model& model);

/// A number and its error to the digits that mean something: `1.358 ± 0.007`, `(1.598 ± 0.016)e6`.
std::string with_error(double value, double error);

/// The checks of a run, each with verdict and advice, closing with «no problems detected» when that is so
/// and `close`.
void print_findings(std::FILE* file, const std::vector<statistics::Finding>& findings, bool close = true);
/// Only what makes the numbers unusable, for runs that are to be silent otherwise.
void print_failures(std::FILE* file, const std::vector<statistics::Finding>& findings);

}  // namespace gfdt::app

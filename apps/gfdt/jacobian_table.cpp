#include "jacobian_table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "table.hpp"

namespace gfdt::app {
namespace {

using response::Jacobian;

std::string entry(const Jacobian& jacobian, std::size_t m, std::size_t j) {
  const double value = jacobian.value[jacobian.at(m, j)], error = jacobian.standard_error[jacobian.at(m, j)];
  if (!std::isfinite(value)) return "—";
  return value == 0 && error == 0 ? "0" : with_error(value, error);
}

void print_statistics(std::FILE* file, const Jacobian& jacobian) {
  Table table({"observable", "mean ± std error", "std"});
  for (const statistics::Average& average : jacobian.statistics)
    table.add({average.name, with_error(average.mean, average.standard_error),
               fmt::format("{:.4g}", average.standard_deviation)});
  table.print(file);
}

void print_entries(std::FILE* file, const std::vector<NamedJacobian>& results) {
  const bool several = results.size() > 1;
  const Jacobian& first = results[0].jacobian;
  std::vector<std::string> heading{"∂<row>/∂column"};
  if (several) heading.push_back("method");
  for (const response::Column& column : first.columns) heading.push_back(column.parameter);
  Table table(heading);
  for (std::size_t m = 0; m < first.rows(); ++m)
    for (const NamedJacobian& result : results) {
      std::vector<std::string> row{&result == &results[0] ? first.statistics[m].name : ""};
      if (several) row.push_back(result.name);
      if (result.jacobian.rows() == first.rows())
        for (std::size_t j = 0; j < first.columns.size(); ++j) row.push_back(entry(result.jacobian, m, j));
      table.add(row);
    }
  table.print(file);
}

void print_origin(std::FILE* file, const NamedJacobian& result) {
  const Jacobian& jacobian = result.jacobian;
  for (const response::Column& column : jacobian.columns)
    if (!column.remark.empty()) fmt::print(file, "  {}: {}\n", column.parameter, column.remark);
  if (jacobian.window)
    fmt::print(file, "  step responses averaged over lags from {:.3g} to {:.3g}\n", jacobian.window->start,
               jacobian.window->end);
  std::string steps;
  for (const response::Column& column : jacobian.columns)
    if (column.step > 0) steps += fmt::format("{}{} {:.3g}", steps.empty() ? "" : ", ", column.parameter, column.step);
  if (!steps.empty()) fmt::print(file, "  steps: {}\n", steps);
  fmt::print(file, "  {}; {:.4g} time units simulated; {:.2f} s\n",
             jacobian.columns.empty() ? result.name : jacobian.columns[0].method, jacobian.simulated_time,
             jacobian.wall_seconds);
}

}  // namespace

void print_jacobians(std::FILE* file, const std::vector<NamedJacobian>& results) {
  if (results.empty()) return;
  if (results[0].jacobian.rows() > 0) {
    print_statistics(file, results[0].jacobian);
    fmt::print(file, "\n");
    print_entries(file, results);
    fmt::print(file, "\n");
  }
  for (const NamedJacobian& result : results) {
    if (results.size() > 1) fmt::print(file, "  {}\n", result.name);
    print_findings(file, result.jacobian.findings);
    print_origin(file, result);
    if (&result != &results.back()) fmt::print(file, "\n");
  }
}

}  // namespace gfdt::app

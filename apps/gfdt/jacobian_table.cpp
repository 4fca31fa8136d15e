#include "jacobian_table.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "table.hpp"

namespace gfdt::app {
namespace {

using jacobian::Jacobian;

/// Entries with fewer standard errors are shown faintly: they may be zero.
constexpr double least_errors = 2;

std::string entry(const Jacobian& jacobian, std::size_t m, std::size_t j) {
  const double value = jacobian.value[jacobian.at(m, j)], error = jacobian.standard_error[jacobian.at(m, j)];
  if (!std::isfinite(value)) return "—";
  const bool significant = std::abs(value) >= least_errors * error;
  const std::string text = value == 0 && error == 0 ? "0" : with_error(value, error);
  return significant ? text : styled(Style::dim, text);
}

bool replaced(const Jacobian& jacobian) {
  return std::ranges::any_of(jacobian.statistics, [](const auto& average) { return average.plain.has_value(); });
}

void print_statistics(std::FILE* file, const Jacobian& jacobian) {
  std::vector<std::string> heading{"observable", "mean(std error)", "std"};
  if (replaced(jacobian)) heading.insert(heading.begin() + 2, "plain average");
  Table table(heading);
  for (const statistics::Average& average : jacobian.statistics) {
    std::vector<std::string> row{average.name, with_error(average.mean, average.standard_error)};
    if (replaced(jacobian)) row.push_back(plain_text(average));
    row.push_back(fmt::format("{:.4g}", average.standard_deviation));
    table.add(std::move(row));
  }
  table.print(file);
}

void print_entries(std::FILE* file, const std::vector<NamedJacobian>& results) {
  const bool several = results.size() > 1;
  const Jacobian& first = results[0].jacobian;
  std::vector<std::string> heading{"∂<row>/∂column"};
  if (several) heading.push_back("method");
  for (const jacobian::Column& column : first.columns) heading.push_back(column.parameter);
  Table table(heading, several ? 2 : 1);
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

/// Responses of long-run averages: the window, the correction of conjugates, steps of differences.
void print_method(std::FILE* file, const NamedJacobian& result) {
  const Jacobian& jacobian = result.jacobian;
  if (jacobian.window)
    put_secondary(file, fmt::format("step responses averaged over lags from {:.3g} to {:.3g}", jacobian.window->start,
                                    jacobian.window->end));
  if (jacobian.window && result.correction_degree > 0)
    put_secondary(file, fmt::format("errors of the conjugates corrected with polynomials of degree {}",
                                    result.correction_degree));
  std::string steps;
  for (const jacobian::Column& column : jacobian.columns)
    if (column.step > 0) steps += fmt::format("{}{} {:.3g}", steps.empty() ? "" : ", ", column.parameter, column.step);
  if (!steps.empty()) put_secondary(file, "steps: " + steps);
}

/// Columns with the same non-empty text: "gfdt (kgmm): d_u, omega".
struct Alike {
  std::string text;
  std::vector<std::string> parameters;
};

/// Groups the columns that have the same text; columns without one are left out.
std::vector<Alike> alike(const Jacobian& jacobian, const std::function<std::string(const jacobian::Column&)>& text_of) {
  std::vector<Alike> result;
  for (const jacobian::Column& column : jacobian.columns) {
    const std::string text = text_of(column);
    if (text.empty()) continue;
    auto found = std::ranges::find(result, text, &Alike::text);
    if (found == result.end()) found = result.insert(found, {text, {}});
    found->parameters.push_back(column.parameter);
  }
  return result;
}

void print_origin(std::FILE* file, const NamedJacobian& result) {
  const Jacobian& jacobian = result.jacobian;
  for (const auto& [remark, parameters] : alike(jacobian, &jacobian::Column::remark))
    put_paragraph(file, "  ", fmt::format("{}: {}", fmt::join(parameters, ", "), remark));
  print_method(file, result);
  put_secondary(file,
                fmt::format("{}; {:.4g} time units {}; {:.2f} s",
                            jacobian.columns.empty() ? result.name : methods_text(jacobian), jacobian.simulated_time,
                            result.recorded ? "of the trajectory read" : "simulated", jacobian.wall_seconds));
}

bool same(const Diagnostic& a, const Diagnostic& b) {
  return a.check == b.check && a.verdict == b.verdict && a.text == b.text && a.remedy == b.remedy;
}

/// Moves diagnostics that all results share to the front and removes them from the individual lists.
std::vector<Diagnostic> take_common(std::vector<std::vector<Diagnostic>>& lists) {
  std::vector<Diagnostic> common;
  for (const Diagnostic& diagnostic : lists[0]) {
    const auto has = [&](const std::vector<Diagnostic>& list) {
      return std::ranges::any_of(list, [&](const Diagnostic& other) { return same(diagnostic, other); });
    };
    if (std::ranges::all_of(lists, has)) common.push_back(diagnostic);
  }
  for (std::vector<Diagnostic>& list : lists)
    std::erase_if(list, [&](const Diagnostic& diagnostic) {
      return std::ranges::any_of(common, [&](const Diagnostic& other) { return same(diagnostic, other); });
    });
  return common;
}

void print_several(std::FILE* file, const std::vector<NamedJacobian>& results) {
  std::vector<std::vector<Diagnostic>> own;
  for (const NamedJacobian& result : results) own.push_back(result.jacobian.diagnostics);
  const std::vector<Diagnostic> common = take_common(own);
  if (!common.empty()) {
    say(file, "  {}\n", styled(Style::strong, "all"));
    print_diagnostics(file, common, false);
    say(file, "\n");
  }
  bool problems = std::ranges::any_of(common, [](const Diagnostic& diagnostic) { return !diagnostic.passed(); });
  for (std::size_t i = 0; i < results.size(); ++i) {
    say(file, "  {}\n", styled(Style::strong, results[i].name));
    print_diagnostics(file, own[i], false);
    print_origin(file, results[i]);
    say(file, "\n");
    problems |= std::ranges::any_of(own[i], [](const Diagnostic& diagnostic) { return !diagnostic.passed(); });
  }
  if (!problems) say(file, "  No problems detected.\n");
}

}  // namespace

std::string methods_text(const Jacobian& jacobian) {
  const std::vector<Alike> methods = alike(jacobian, [](const jacobian::Column& c) { return c.method.text(); });
  if (methods.size() == 1) return methods[0].text;
  std::vector<std::string> parts;
  for (const auto& [method, parameters] : methods)
    parts.push_back(fmt::format("{}: {}", method, fmt::join(parameters, ", ")));
  return fmt::format("{}", fmt::join(parts, "; "));
}

void print_jacobians(std::FILE* file, const std::vector<NamedJacobian>& results) {
  if (results.empty()) return;
  if (results[0].jacobian.rows() > 0) {
    print_statistics(file, results[0].jacobian);
    say(file, "\n");
    print_entries(file, results);
    put_secondary(file, errors_in_parentheses);
    say(file, "\n");
  }
  if (results.size() > 1) return print_several(file, results);
  print_diagnostics(file, results[0].jacobian.diagnostics);
  print_origin(file, results[0]);
}

}  // namespace gfdt::app

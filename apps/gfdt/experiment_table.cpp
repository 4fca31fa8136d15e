#include "experiment_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "jacobian_table.hpp"
#include "styled_text.hpp"
#include "table.hpp"

namespace gfdt::app {
namespace {

using jacobian::Jacobian;

std::string entry(double value, double error) {
  if (!std::isfinite(value)) return "—";
  if (value == 0 && error == 0) return "0";
  return error > 0 ? with_error(value, error) : fmt::format("{:.5g}", std::abs(value) < 1e-9 ? 0 : value);
}

std::string label(const OurJacobian& ours) {
  const Jacobian& jacobian = ours.result.jacobian;
  const bool mixed = ours.name == jacobian::name(jacobian::Method::automatic);
  return jacobian.columns.empty() || mixed ? ours.name : jacobian.columns[0].method.text();
}

void print_statistics(std::FILE* file, const Comparison& comparison) {
  std::vector<std::string> heading{"<observable>"};
  if (comparison.truth) heading.push_back("truth");
  const auto found =
      std::ranges::find_if(comparison.ours, [](const OurJacobian& ours) { return ours.result.jacobian.rows() > 0; });
  if (found != comparison.ours.end()) heading.push_back("this run");
  heading.push_back("std");
  Table table(heading);
  for (std::size_t m = 0; m < comparison.model.observables.size(); ++m) {
    std::vector<std::string> row{comparison.model.observables[m].name};
    if (comparison.truth)
      row.push_back(comparison.truth->statistics_error[m] > 0
                        ? with_error(comparison.truth->statistics[m], comparison.truth->statistics_error[m])
                        : fmt::format("{:.6f}", comparison.truth->statistics[m]));
    if (found != comparison.ours.end()) {
      const statistics::Average& average = found->result.jacobian.statistics[m];
      row.push_back(with_error(average.mean, average.standard_error));
      row.push_back(fmt::format("{:.4g}", average.standard_deviation));
    }
    table.add(row);
  }
  table.print(file);
  say(file, "\n");
}

void print_entries(std::FILE* file, const Comparison& comparison) {
  const std::size_t columns = comparison.model.parameters.size();
  std::vector<std::string> heading{"∂<row>/∂column", "by"};
  for (const symbolic::Parameter& parameter : comparison.model.parameters) heading.push_back(parameter.name);
  Table table(heading, 2);
  for (std::size_t m = 0; m < comparison.model.observables.size(); ++m) {
    std::string name = comparison.model.observables[m].name;
    const auto add = [&](const std::string& by, const std::vector<double>& value, const std::vector<double>* error) {
      std::vector<std::string> row{std::exchange(name, ""), by};
      for (std::size_t at = m * columns; at < std::min((m + 1) * columns, value.size()); ++at)
        row.push_back(entry(value[at], error ? (*error)[at] : 0));
      table.add(row);
    };
    if (comparison.truth) add("truth", comparison.truth->jacobian, &comparison.truth->jacobian_error);
    for (const OurJacobian& ours : comparison.ours)
      add(label(ours), ours.result.jacobian.value, &ours.result.jacobian.standard_error);
    for (const PaperTable::Method& method : comparison.paper.methods)
      add("paper, " + method.name, method.jacobian, nullptr);
  }
  table.print(file);
  put_secondary(file, errors_in_parentheses);
  say(file, "\n");
}

std::string percent(double value) {
  if (!std::isfinite(value)) return "—";
  return value < 0.0995 ? fmt::format("{:.2g} %", 100 * value) : fmt::format("{:.0f} %", 100 * value);
}

void print_column_errors(std::FILE* file, const Comparison& comparison) {
  if (!comparison.truth) {
    say(file, "  No truth of this experiment is kept: column errors are not known.\n\n");
    return;
  }
  std::vector<std::string> heading{"column error"};
  for (const symbolic::Parameter& parameter : comparison.model.parameters) heading.push_back(parameter.name);
  Table table(heading);
  for (const OurJacobian& ours : comparison.ours) {
    const std::vector<double> errors = comparison.column_errors(ours.result.jacobian.value);
    const std::vector<double> expected = comparison.expected_column_errors(ours.result.jacobian.standard_error);
    std::vector<std::string> row{label(ours)};
    for (std::size_t j = 0; j < errors.size(); ++j)
      row.push_back(fmt::format("{} [{}]", percent(errors[j]), percent(expected[j])));
    table.add(row);
  }
  for (const PaperTable::Method& method : comparison.paper.methods) {
    std::vector<std::string> row{"paper, " + method.name};
    for (const double error : comparison.column_errors(method.meant)) row.push_back(percent(error));
    table.add(row);
  }
  table.print(file);
  put_paragraph(
      file, "  ",
      "‖S − S*‖/‖S*‖ of a column against the truth, rows in standard deviations of the observables; in brackets "
      "what the standard errors lead one to expect.");
  const std::vector<double> own = comparison.expected_column_errors(comparison.truth->jacobian_error);
  const double largest = *std::ranges::max_element(own);
  put_paragraph(
      file, "  ",
      fmt::format("Truth: {}{}.", comparison.truth->source,
                  largest > 0 ? fmt::format("; its own column errors are {} at most", percent(largest)) : ""));
  say(file, "\n");
}

void print_cost(std::FILE* file, const OurJacobian& ours) {
  const Jacobian& jacobian = ours.result.jacobian;
  say(file, "  {}: {:.3g} time units simulated, {:.1f} s", label(ours), jacobian.simulated_time, jacobian.wall_seconds);
  if (jacobian.window)
    say(file, ", step responses averaged from {:.3g} to {:.3g}", jacobian.window->start, jacobian.window->end);
  say(file, "\n");
  if (ours.name == jacobian::name(jacobian::Method::automatic)) put_paragraph(file, "    ", methods_text(jacobian));
  for (const Diagnostic& diagnostic : jacobian.diagnostics)
    if (!diagnostic.passed())
      put_paragraph(file, fmt::format("    {} ", tick(false)),
                    fmt::format("{}: {} {}", name(diagnostic.check), diagnostic.text, diagnostic.remedy));
  for (const jacobian::Column& column : jacobian.columns) {
    if (column.remark.empty()) continue;
    const std::size_t sentence = column.remark.find(". ");  // all of it is in the JSON
    say(file, "    {}: {}\n", column.parameter,
        sentence == std::string::npos ? column.remark : column.remark.substr(0, sentence) + "; …");
  }
  std::string steps;
  for (const jacobian::Column& column : jacobian.columns)
    if (column.step > 0) steps += fmt::format("{}{} {:.3g}", steps.empty() ? "" : ", ", column.parameter, column.step);
  if (!steps.empty()) say(file, "    steps: {}\n", steps);
}

}  // namespace

std::vector<double> Comparison::column_errors(const std::vector<double>& jacobian) const {
  if (!truth || jacobian.size() != truth->jacobian.size()) return {};
  return jacobian::column_errors(jacobian, truth->jacobian, truth->standard_deviation);
}

std::vector<double> Comparison::expected_column_errors(const std::vector<double>& standard_errors) const {
  if (!truth || standard_errors.size() != truth->jacobian.size()) return {};
  std::vector<double> off = truth->jacobian;
  for (std::size_t i = 0; i < off.size(); ++i) off[i] += standard_errors[i];
  return column_errors(off);
}

void print_comparison(std::FILE* file, const Comparison& comparison) {
  print_statistics(file, comparison);
  print_entries(file, comparison);
  print_column_errors(file, comparison);
  for (const OurJacobian& ours : comparison.ours) print_cost(file, ours);
  if (!comparison.paper.source.empty()) say(file, "\n  Paper: {}.\n", comparison.paper.source);
  for (const std::string& remark : comparison.paper.remarks) put_paragraph(file, "    ", remark);
}

}  // namespace gfdt::app

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/report/document.hpp"
#include "gfdt/report/findings.hpp"
#include "gfdt/report/labels.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/plot.hpp"
#include "gfdt/report/sections.hpp"

namespace gfdt::report {
namespace {

std::string per_cent(double share) {
  if (!std::isfinite(share)) return "–";
  return share < 0.1 ? fmt::format("{:.2g}", 100 * share) : fmt::format("{:.0f}", 100 * share);
}

/// ‖S − S*‖/‖S*‖ of every column.
std::optional<Table> column_errors(const Json& experiment) {
  const std::vector<std::string> parameters = texts_of(experiment, "parameters");
  Table table{"Relative error of each column of the Jacobian, in per cent", {""}, {}};
  table.heading.insert(table.heading.end(), parameters.begin(), parameters.end());
  const auto add = [&](const std::string& name, const Values& errors) {
    if (errors.empty()) return;
    table.rows.push_back({name});
    for (std::size_t j = 0; j < parameters.size(); ++j) table.rows.back().push_back(per_cent(at(errors, j)));
  };
  for (const Json& ours : entry(experiment, "ours")) {
    add(method_label(text_of(ours, "name")), numbers_of(ours, "column_error"));
    add(method_label(text_of(ours, "name")) + ", predicted from its standard errors",
        numbers_of(ours, "expected_column_error"));
  }
  for (const Json& paper : entry(experiment, "paper"))
    add("paper: " + text_of(paper, "name"), numbers_of(paper, "column_error"));
  if (table.rows.empty()) return {};
  return table;
}

Table paper_table(const Json& experiment, const Json& paper) {
  const std::vector<std::string> parameters = texts_of(experiment, "parameters"),
                                 observables = texts_of(experiment, "observables");
  Table table{"Entries in the paper: " + text_of(paper, "name"), {""}, {}};
  table.heading.insert(table.heading.end(), parameters.begin(), parameters.end());
  const auto matrix = matrix_of(paper, "jacobian");
  for (std::size_t m = 0; m < observables.size(); ++m) {
    table.rows.push_back({observables[m]});
    for (std::size_t j = 0; j < parameters.size(); ++j) table.rows.back().push_back(brief(at(matrix, m, j)));
  }
  return table;
}

Figure curves_figure(const Json& curves) {
  const std::string across = text_of(curves, "across"), estimate = text_of(curves, "estimate");
  Figure figure{.name = "curves",
                .title = text_of(curves, "title"),
                .caption = "Bands: two standard errors of the estimate.",
                .keys = {{"exact", "exact", "muted", "line"}, {"estimate", estimate, "c0", "line"}},
                .table = DataTable({"panel", across, "exact", "estimate", "standard_error"}),
                .width = 320,
                .height = 280};
  for (const Json& given : entry(curves, "panels")) {
    const std::string title = text_of(given, "title");
    const Values x = numbers_of(given, "x"), exact = numbers_of(given, "exact"), value = numbers_of(given, "estimate"),
                 error = numbers_of(given, "estimate_error");
    Panel panel;
    panel.layout = axes(across, "", title);
    Values low, high;
    std::vector<std::string> words;
    for (std::size_t i = 0; i < value.size(); ++i) {
      low.push_back(value[i] - 2 * at(error, i));
      high.push_back(value[i] + 2 * at(error, i));
      words.push_back(fmt::format("{} = {}<br>estimate {}<br>exact {}", plot_text(across), brief(at(x, i)),
                                  plus_minus(value[i], at(error, i)), brief(at(exact, i))));
      figure.table.add(
          {title, plot_number(at(x, i)), plot_number(at(exact, i)), plot_number(value[i]), plot_number(at(error, i))});
    }
    panel.traces.push_back(band_trace(x, low, high, {.colour = "c0", .group = "estimate"}));
    panel.traces.push_back(line_trace(x, exact, {.colour = "muted", .group = "exact", .width = 4}));
    panel.traces.push_back(line_trace(x, value, {.colour = "c0", .group = "estimate"}, words));
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace

std::optional<Section> experiment_section(const RunDocuments& run) {
  const Json& experiment = run.reproduction;
  if (experiment.is_null()) return {};
  Section section{"experiment", "Comparison with the paper", {}};
  for (const std::string& sentence : texts_of(experiment, "origin")) section.blocks.push_back(Paragraph{sentence});
  if (const std::string source = text_of(experiment, "paper_source"); !source.empty())
    section.blocks.push_back(Paragraph{"Paper: " + source});
  for (const std::string& remark : texts_of(experiment, "paper_remarks")) section.blocks.push_back(Paragraph{remark});
  if (std::optional<Table> errors = column_errors(experiment)) section.blocks.push_back(std::move(*errors));
  for (const Json& paper : entry(experiment, "paper")) section.blocks.push_back(paper_table(experiment, paper));
  if (!entry(entry(experiment, "curves"), "panels").empty())
    section.blocks.push_back(curves_figure(entry(experiment, "curves")));
  const std::vector<std::string> labels = calibration_labels(run);
  for (std::size_t i = 0; i < run.calibrations.size(); ++i)
    if (const Json& holds = entry(run.calibrations[i].result, "region_holds_truth"); holds.is_boolean())
      section.blocks.push_back(Paragraph{fmt::format("{}: the confidence region {} the true parameters.", labels[i],
                                                     holds.get<bool>() ? "contains" : "does not contain")});
  if (section.blocks.empty()) return {};
  return section;
}

std::string plain_average(const Json& document, std::size_t m) {
  const double mean = at(numbers_of(document, "plain_statistics"), m),
               error = at(numbers_of(document, "plain_statistics_error"), m);
  if (!std::isfinite(mean) || error == at(numbers_of(document, "statistics_error"), m)) return {};
  return plus_minus(mean, error);
}

bool has_plain_statistics(const Json& document) {
  for (std::size_t m = 0; m < numbers_of(document, "plain_statistics").size(); ++m)
    if (!plain_average(document, m).empty()) return true;
  return false;
}

std::optional<Section> simulation_section(const RunDocuments& run) {
  const Json& document = run.simulation;
  if (document.is_null()) return {};
  Section section{"simulation", "Statistics", {}};
  const std::vector<std::string> names = texts_of(document, "observables");
  const Values mean = numbers_of(document, "statistics"), error = numbers_of(document, "statistics_error"),
               spread = numbers_of(document, "standard_deviation"),
               memory = numbers_of(document, "autocorrelation_time"),
               samples = numbers_of(document, "effective_samples");
  const bool controlled = has_plain_statistics(document);
  Table table{"Averages over the stationary distribution, with standard errors",
              {"statistic", "average", "standard deviation", "autocorrelation time", "effective samples"},
              {}};
  if (controlled) table.heading.insert(table.heading.begin() + 2, "plain average");
  for (std::size_t m = 0; m < names.size(); ++m) {
    table.rows.push_back({names[m], plus_minus(at(mean, m), at(error, m))});
    if (controlled) table.rows.back().push_back(plain_average(document, m));
    for (const double value : {at(spread, m), at(memory, m), at(samples, m)}) table.rows.back().push_back(brief(value));
  }
  section.blocks.push_back(std::move(table));
  for (Block& block : check_blocks(checks_of(entry(document, "findings")))) section.blocks.push_back(std::move(block));
  return section;
}

}  // namespace gfdt::report

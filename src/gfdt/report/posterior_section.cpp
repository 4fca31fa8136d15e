#include <fmt/format.h>

#include <cmath>

#include "gfdt/report/calibration_path.hpp"
#include "gfdt/report/document.hpp"
#include "gfdt/report/heat_map.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/plot.hpp"
#include "gfdt/report/sections.hpp"

namespace gfdt::report {
namespace {

/// The parameters that the search began with; null where there was no iteration.
const Json& guess_of(const Json& result) {
  const Json& iterations = entry(result, "iterations");
  return iterations.is_array() && !iterations.empty() ? entry(iterations[0], "parameters") : entry(result, "guess");
}

Table answers(const RunDocuments& run, const std::vector<std::string>& names) {
  Table table{"Answers, with standard errors", {"parameter", "guess"}, {}};
  const Json& truth = entry(run.reproduction, "truth");
  const bool known = !keys_of(truth).empty();
  for (const CalibrationDocuments& calibration : run.calibrations) table.heading.push_back(calibration.name);
  if (known) table.heading.push_back("true");
  for (const std::string& name : names) {
    table.rows.push_back({name, brief(number_of(guess_of(run.calibrations[0].result), name))});
    for (const CalibrationDocuments& calibration : run.calibrations)
      table.rows.back().push_back(answer_text(number_of(entry(calibration.result, "parameters"), name),
                                              number_of(entry(calibration.result, "parameters_error"), name)));
    if (known) table.rows.back().push_back(brief(number_of(truth, name)));
  }
  return table;
}

/// A panel a parameter: where the guess was and where each method ended.
Figure answers_figure(const RunDocuments& run, const std::vector<std::string>& names) {
  Figure figure{.name = "answers",
                .title = "From the guess to the answers",
                .caption = "Error bars: one standard error.",
                .table = DataTable({"parameter", "who", "value", "standard_error"}),
                .width = 262,
                .height = static_cast<int>(80 + 32 * (run.calibrations.size() + 1))};
  const Json& truth = entry(run.reproduction, "truth");
  for (const std::string& name : names) {
    Panel panel;
    panel.layout = axes("", "", name);
    panel.layout["yaxis"]["showgrid"] = false;
    const auto add = [&](const std::string& who, double value, double error, const std::string& colour) {
      Json trace =
          line_trace({value}, {0}, {.colour = colour, .group = who, .points = true},
                     {fmt::format("{}<br>{} = {}", plot_text(who), plot_text(name), plus_minus(value, error))});
      trace["mode"] = "markers";
      trace["y"] = Json::array({plot_text(who)});
      panel.traces.push_back(error_bars(std::move(trace), {error}, 'x'));
      figure.table.add({name, who, plot_number(value), plot_number(error)});
    };
    add("guess", number_of(guess_of(run.calibrations[0].result), name), no_number, "muted");
    for (std::size_t i = 0; i < run.calibrations.size(); ++i)
      add(run.calibrations[i].name, number_of(entry(run.calibrations[i].result, "parameters"), name),
          number_of(entry(run.calibrations[i].result, "parameters_error"), name), curve_colour(i));
    if (std::isfinite(number_of(truth, name))) add("true", number_of(truth, name), no_number, "ink");
    panel.layout["yaxis"]["range"] = {static_cast<double>(panel.traces.size()) - 0.4, -0.6};  // downwards
    if (figure.panels.size() < most_panels) figure.panels.push_back(std::move(panel));
  }
  return figure;
}

Table covariance_table(const CalibrationDocuments& calibration, const std::vector<std::string>& names, bool several) {
  Table table{fmt::format("Covariance of the parameters{}", several ? ", " + calibration.name : ""), {""}, {}};
  table.heading.insert(table.heading.end(), names.begin(), names.end());
  const auto covariance = matrix_of(calibration.result, "parameters_covariance");
  for (std::size_t i = 0; i < names.size(); ++i) {
    table.rows.push_back({names[i]});
    for (std::size_t j = 0; j < names.size(); ++j) {
      const double value = at(covariance, i, j);
      table.rows.back().push_back(std::isfinite(value) ? fmt::format("{:.4g}", value) : i == j ? "∞" : "–");
    }
  }
  return table;
}

void add_identifiability(Section& section, const CalibrationDocuments& calibration, bool several) {
  const Json& result = calibration.result;
  const std::string whose = several ? calibration.name + ": " : "";
  constexpr std::size_t most = 4;
  const Json& directions = entry(result, "weak_directions");
  const std::size_t weak = directions.is_array() ? directions.size() : 0;
  const std::size_t shown = weak > most ? most - 1 : weak;
  for (std::size_t i = 0; i < shown; ++i)
    section.blocks.push_back(Paragraph{whose + text_of(directions[i], "words"), true});
  if (shown < weak)
    section.blocks.push_back(Paragraph{
        fmt::format("{}{} more combinations of parameters are weakly determined, or not at all.", whose, weak - shown),
        true});
  const std::vector<double> values = numbers_of(result, "singular_values");
  if (values.empty()) return;
  std::string list;
  for (double value : values) list += (list.empty() ? "" : ", ") + brief(value);
  section.blocks.push_back(
      Paragraph{fmt::format("{}{}Singular values of N^(−1/2) S in relative changes of the parameters: {}. One of s "
                            "lets a relative change of 1/s "
                            "along its direction be told from noise.",
                            whose, weak == 0 ? "Every direction is known better than to 50 %. " : "", list)});
}

}  // namespace

std::optional<Section> posterior_section(const RunDocuments& run) {
  const std::vector<std::string> names = free_parameters(run);
  if (names.empty()) return {};
  const bool several = run.calibrations.size() > 1;
  Section section{"posterior", "Parameters", {}};
  section.blocks.push_back(answers(run, names));
  section.blocks.push_back(answers_figure(run, names));
  for (const CalibrationDocuments& calibration : run.calibrations) add_identifiability(section, calibration, several);
  Figure correlations{.name = "correlations",
                      .title = "Correlations of the parameters' errors",
                      .caption = "±1: only a combination of the two is known.",
                      .table = DataTable({"method", "parameter", "other", "correlation", "covariance"}),
                      .width = 340,
                      .height = heat_map_height(names.size())};
  for (const CalibrationDocuments& calibration : run.calibrations) {
    const auto correlation = matrix_of(calibration.result, "parameters_correlation"),
               covariance = matrix_of(calibration.result, "parameters_covariance");
    if (correlation.empty()) continue;
    section.blocks.push_back(covariance_table(calibration, names, several));
    HeatMap map{.title = several ? calibration.name : "", .rows = names, .columns = names, .colour = correlation};
    for (std::size_t i = 0; i < names.size(); ++i) {
      map.text.emplace_back();
      for (std::size_t j = 0; j < names.size(); ++j) {
        map.text.back().push_back(std::isfinite(at(correlation, i, j)) ? fmt::format("{:.2f}", at(correlation, i, j))
                                                                       : "–");
        correlations.table.add({calibration.name, names[i], names[j], plot_number(at(correlation, i, j)),
                                plot_number(at(covariance, i, j))});
      }
    }
    correlations.panels.push_back(heat_map(map));
  }
  if (!correlations.panels.empty() && names.size() > 1) section.blocks.push_back(std::move(correlations));
  return section;
}

}  // namespace gfdt::report

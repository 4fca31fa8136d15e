#include "experiment_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gfdt/data/json.hpp"
#include "gfdt/score/exact/stationary_statistics.hpp"
#include "styled_text.hpp"
#include "table.hpp"

namespace gfdt::app {
namespace {

using jacobian::Jacobian;

constexpr int table_rows = 11;

/// The first result with a score, in the order of the plan: the one with the best.
const OurJacobian* with_score(const Comparison& comparison) {
  for (const OurJacobian& ours : comparison.ours)
    if (ours.result.jacobian.usable() && ours.result.jacobian.window) return &ours;
  return nullptr;
}

std::optional<ExperimentCurves> step_responses(const Comparison& comparison, const OurJacobian& ours) {
  const Jacobian& jacobian = ours.result.jacobian;
  const jacobian::StepResponses& steps = ours.result.steps;
  const double alpha = comparison.model.parameter("alpha").value, beta = comparison.model.parameter("beta").value;
  if (steps.time.size() < 2) return {};
  const double reach = 2 * alpha * steps.time[1], averaged = std::sinh(reach) / reach;
  ExperimentCurves curves{
      "Responses of the variance to a step of a parameter, after the time t", "t", "gfdt (" + ours.name + ")", {}};
  for (std::size_t j = 0; j < jacobian.columns.size(); ++j) {
    const std::string& parameter = jacobian.columns[j].parameter;
    const double limit = parameter == "alpha" ? -beta * beta / (2 * alpha * alpha) : beta / alpha;
    CurvePanel panel;
    panel.title = "to " + parameter;
    panel.across = "time after the step";
    const std::size_t at = jacobian.at(0, j);
    if (at >= steps.of_entry.size() || steps.of_entry[at].empty()) return {};
    for (std::size_t i = 0; i < steps.time.size() && steps.time[i] <= jacobian.window->end; ++i) {
      panel.x.push_back(steps.time[i]);
      panel.exact.push_back(i == 0 ? 0 : limit * (1 - averaged * std::exp(-2 * alpha * steps.time[i])));
      panel.estimate.push_back(steps.of_entry[at][i].value);
      panel.estimate_error.push_back(steps.of_entry[at][i].standard_error);
    }
    curves.panels.push_back(std::move(panel));
  }
  return curves;
}

std::optional<ExperimentCurves> tangents(const Comparison& comparison, const OurJacobian& ours) {
  constexpr const char* swept = "alpha3";
  constexpr double reach = 1;
  constexpr int points = 41;
  const Jacobian& jacobian = ours.result.jacobian;
  const auto column = std::ranges::find(jacobian.columns, swept, &jacobian::Column::parameter);
  if (column == jacobian.columns.end()) return {};
  const auto j = static_cast<std::size_t>(column - jacobian.columns.begin());
  ExperimentCurves curves{
      "Statistics as functions of alpha3 and their tangents", swept, "tangent by gfdt (" + ours.name + ")", {}};
  for (const statistics::Average& average : jacobian.statistics) {
    curves.panels.push_back({});
    curves.panels.back().title = average.name;
    curves.panels.back().across = swept;
  }
  for (int i = 0; i < points; ++i) {
    const double change = reach * (2.0 * i / (points - 1) - 1);
    symbolic::Model changed = comparison.model;
    changed.parameters[j].value += change;
    const std::vector<double> exact = score::stationary_statistics(changed).mean;
    for (std::size_t m = 0; m < exact.size(); ++m) {
      const statistics::Average& average = jacobian.statistics[m];
      CurvePanel& panel = curves.panels[m];
      panel.x.push_back(changed.parameters[j].value);
      panel.exact.push_back(exact[m]);
      panel.estimate.push_back(average.mean + change * jacobian.value[jacobian.at(m, j)]);
      panel.estimate_error.push_back(
          std::hypot(average.standard_error, change * jacobian.standard_error[jacobian.at(m, j)]));
    }
  }
  return curves;
}

}  // namespace

std::optional<ExperimentCurves> experiment_curves(const Comparison& comparison) {
  const OurJacobian* ours = with_score(comparison);
  if (!ours) return {};
  if (comparison.experiment.name == "ou") return step_responses(comparison, *ours);
  if (comparison.experiment.name == "quartic") return tangents(comparison, *ours);
  return {};
}

void print_curves(std::FILE* file, const ExperimentCurves& curves) {
  say(file, "\n  {}\n\n", curves.title);
  std::vector<std::string> heading{curves.across};
  for (const CurvePanel& panel : curves.panels) {
    heading.push_back(panel.title + ", exact");
    heading.push_back(curves.estimate);
  }
  Table table(heading);
  const std::vector<double>& x = curves.panels.at(0).x;
  const std::size_t last = x.size() - 1, rows = std::min<std::size_t>(x.size(), table_rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t i = rows > 1 ? (row * last + (rows - 1) / 2) / (rows - 1) : 0;
    std::vector<std::string> cells{fmt::format("{:.3g}", x[i])};
    for (const CurvePanel& panel : curves.panels) {
      cells.push_back(fmt::format("{:.5f}", panel.exact[i] == 0 ? 0 : panel.exact[i]));
      cells.push_back(with_error(panel.estimate[i], panel.estimate_error[i]));
    }
    table.add(cells);
  }
  table.print(file);
  put_secondary(file, errors_in_parentheses);
}

nlohmann::ordered_json to_json(const ExperimentCurves& curves) {
  nlohmann::ordered_json json{{"title", curves.title}, {"across", curves.across}, {"estimate", curves.estimate}};
  for (const CurvePanel& panel : curves.panels)
    json["panels"].push_back({{"title", panel.title},
                              {"x", data::json_numbers(panel.x)},
                              {"exact", data::json_numbers(panel.exact)},
                              {"estimate", data::json_numbers(panel.estimate)},
                              {"estimate_error", data::json_numbers(panel.estimate_error)}});
  return json;
}

}  // namespace gfdt::app

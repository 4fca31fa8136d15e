#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/report/document.hpp"
#include "gfdt/report/heat_map.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/plot.hpp"
#include "gfdt/report/sections.hpp"

namespace gfdt::report {
namespace {

/// ∂<A_m>/∂θ_j.
std::string derivative(const std::string& observable, const std::string& parameter) {
  return fmt::format("∂⟨{}⟩/∂{}", observable, parameter);
}

Table entries_of_one(const JacobianView& view) {
  Table table{fmt::format("{}: ∂⟨row⟩/∂column, with standard errors", view.name), {""}, {}};
  table.heading.insert(table.heading.end(), view.parameters.begin(), view.parameters.end());
  for (std::size_t m = 0; m < view.observables.size(); ++m) {
    table.rows.push_back({view.observables[m]});
    for (std::size_t j = 0; j < view.parameters.size(); ++j)
      table.rows.back().push_back(plus_minus(at(view.value, m, j), at(view.error, m, j)));
  }
  return table;
}

/// Rows have units of their own: this is the largest entry of one.
double row_scale(const JacobianView& view, std::size_t m) {
  double largest = 0;
  for (std::size_t j = 0; j < view.parameters.size(); ++j)
    if (std::isfinite(at(view.value, m, j))) largest = std::max(largest, std::abs(at(view.value, m, j)));
  return largest > 0 ? largest : 1;
}

/// What quadrature leaves of a zero is one.
std::string known_text(const JacobianView& view, const KnownJacobian& known, std::size_t m, std::size_t j) {
  constexpr double rounding = 1e-10;
  const double value = at(known.value, m, j);
  return std::abs(value) < rounding * row_scale(view, m) ? "0" : plus_minus(value, at(known.error, m, j));
}

/// Averages beside those without a control variate, of the first document that has both.
std::optional<Table> statistics_table(const std::vector<JacobianView>& views) {
  for (const JacobianView& view : views) {
    if (!has_plain_statistics(view.statistics)) continue;
    const Values mean = numbers_of(view.statistics, "statistics"),
                 error = numbers_of(view.statistics, "statistics_error");
    Table table{
        fmt::format("{}: statistics, with standard errors", view.name), {"observable", "average", "plain average"}, {}};
    for (std::size_t m = 0; m < view.observables.size(); ++m)
      table.rows.push_back(
          {view.observables[m], plus_minus(at(mean, m), at(error, m)), plain_average(view.statistics, m)});
    return table;
  }
  return {};
}

/// What each column came by, where that differs or there is something to say.
std::optional<Table> methods_table(const JacobianView& view) {
  const bool mixed =
      std::ranges::any_of(view.methods, [&](const std::string& method) { return method != view.methods[0]; });
  const bool remarks = std::ranges::any_of(view.remarks, [](const std::string& remark) { return !remark.empty(); });
  if (!mixed && !remarks) return {};
  Table table{fmt::format("{}: how its columns came about", view.name), {"parameter", "method", "remark"}, {}};
  for (std::size_t j = 0; j < view.parameters.size(); ++j)
    table.rows.push_back({view.parameters[j],
                          {j < view.methods.size() ? view.methods[j] : std::string(), "text"},
                          {j < view.remarks.size() ? view.remarks[j] : std::string(), "text"}});
  return table;
}

/// Several methods side by side, a row an entry; what is far from what is known stands out.
Table entries_of_several(const std::vector<JacobianView>& views, const KnownJacobian& known) {
  Table table{"Entries, with standard errors", {"entry"}, {}};
  for (const JacobianView& view : views) table.heading.push_back(view.name);
  if (!known.value.empty()) table.heading.push_back(known.source);
  for (std::size_t m = 0; m < views[0].observables.size(); ++m)
    for (std::size_t j = 0; j < views[0].parameters.size(); ++j) {
      table.rows.push_back({derivative(views[0].observables[m], views[0].parameters[j])});
      for (const JacobianView& view : views) {
        const double value = at(view.value, m, j), error = at(view.error, m, j);
        const double off = (value - at(known.value, m, j)) / std::hypot(error, at(known.error, m, j));
        table.rows.back().push_back({plus_minus(value, error), std::abs(off) > 3 ? "failed" : ""});
      }
      if (!known.value.empty()) table.rows.back().push_back(known_text(views[0], known, m, j));
    }
  return table;
}

std::string narrow_with_error(double value, double error) {
  if (!std::isfinite(value)) return "–";
  return std::isfinite(error) && error > 0 ? fmt::format("{:.3g}<br>± {:.2g}", value, error)
                                           : fmt::format("{:.3g}", value);
}

Panel map_of(const JacobianView& view, DataTable& data) {
  HeatMap map{.title = view.name, .rows = view.observables, .columns = view.parameters};
  for (std::size_t m = 0; m < view.observables.size(); ++m) {
    map.colour.emplace_back();
    map.text.emplace_back();
    map.hover.emplace_back();
    const double scale = row_scale(view, m);
    for (std::size_t j = 0; j < view.parameters.size(); ++j) {
      const double value = at(view.value, m, j), error = at(view.error, m, j);
      map.colour.back().push_back(value / scale);
      map.text.back().push_back(narrow_with_error(value, error));
      const std::string method = j < view.methods.size() ? view.methods[j] : view.name;
      map.hover.back().push_back(fmt::format("{} = {}<br>{}",
                                             plot_text(derivative(view.observables[m], view.parameters[j])),
                                             plus_minus(value, error), plot_text(method)));
      data.add({view.name, view.observables[m], view.parameters[j], plot_number(value), plot_number(error), method});
    }
  }
  return heat_map(map);
}

/// Every entry in units of its own error, from what is known or from the first method.
Figure agreement_figure(const std::vector<JacobianView>& views, const KnownJacobian& known) {
  constexpr double farthest = 6;  // standard errors; what is farther is drawn at the edge
  const bool truth = !known.value.empty();
  const std::string reference = truth ? known.source : views[0].name;
  Figure figure{
      .name = "agreement",
      .title = "Agreement of the entries",
      .caption = fmt::format("Difference from «{}» in standard errors of the difference. Two of three should lie "
                             "within the darker band, 95 % within the lighter; triangles are farther than 6.",
                             reference),
      .table = DataTable({"entry", "method", "difference", "standard_error", "standard_errors"}),
      .width = 640,
      .height = 360};
  Panel panel;
  panel.layout = axes("", "difference / standard error");
  std::vector<std::string> entries;
  for (const std::string& observable : views[0].observables)
    for (const std::string& parameter : views[0].parameters) entries.push_back(derivative(observable, parameter));
  const double last = static_cast<double>(entries.size()) - 1;
  for (const auto& [reach, opacity] : {std::pair(2.0, 0.10), {1.0, 0.14}})
    panel.traces.push_back(band_trace({-0.5, last + 0.5}, {-reach, -reach}, {reach, reach},
                                      {.colour = "muted", .group = "band"}, opacity));
  Json places = Json::array(), names = Json::array();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    places.push_back(i);
    names.push_back(plot_text(entries[i]));
  }
  panel.layout["xaxis"]["tickvals"] = places;
  panel.layout["xaxis"]["ticktext"] = names;
  panel.layout["xaxis"]["tickangle"] = -60;
  panel.layout["xaxis"]["range"] = {-0.5, last + 0.5};
  for (std::size_t i = truth ? 0 : 1; i < views.size(); ++i) {
    Values x, y;
    Json symbols = Json::array();
    std::vector<std::string> words;
    for (std::size_t m = 0; m < views[0].observables.size(); ++m)
      for (std::size_t j = 0; j < views[0].parameters.size(); ++j) {
        const double from = truth ? at(known.value, m, j) : at(views[0].value, m, j);
        const double from_error = truth ? at(known.error, m, j) : at(views[0].error, m, j);
        const double difference = at(views[i].value, m, j) - from,
                     error = std::hypot(at(views[i].error, m, j), from_error);
        const std::size_t k = x.size();
        x.push_back(static_cast<double>(k) +
                    0.5 * ((static_cast<double>(i) + 0.5) / static_cast<double>(views.size()) - 0.5));
        y.push_back(std::clamp(difference / error, -farthest, farthest));
        symbols.push_back(std::abs(difference / error) <= farthest ? "circle"
                          : difference > 0                         ? "triangle-up"
                                                                   : "triangle-down");
        words.push_back(fmt::format("{}, {}<br>off by {}", plot_text(entries[k]), plot_text(views[i].name),
                                    plus_minus(difference, error)));
        figure.table.add(
            {entries[k], views[i].name, plot_number(difference), plot_number(error), plot_number(difference / error)});
      }
    Json trace = line_trace(x, y, {.colour = curve_colour(i), .group = views[i].name, .points = true}, words);
    trace["mode"] = "markers";
    trace["marker"]["symbol"] = std::move(symbols);
    panel.traces.push_back(std::move(trace));
    figure.keys.push_back({views[i].name, views[i].name, curve_colour(i), "point"});
  }
  figure.panels.push_back(std::move(panel));
  return figure;
}

bool same_entries(const std::vector<JacobianView>& views) {
  return std::ranges::all_of(views, [&](const JacobianView& view) {
    return view.observables == views[0].observables && view.parameters == views[0].parameters;
  });
}

}  // namespace

Checks checks_of(const Json& diagnostics) {
  Checks checks;
  if (diagnostics.is_array())
    for (const Json& diagnostic : diagnostics)
      checks.checks.push_back({text_of(diagnostic, "check"),
                               entry(diagnostic, "passed") != true    ? "failed"
                               : entry(diagnostic, "judged") == false ? "unresolved"
                                                                      : "passed",
                               text_of(diagnostic, "verdict"), text_of(diagnostic, "advice")});
  return checks;
}

std::optional<Section> jacobian_section(const RunDocuments& run) {
  const std::vector<JacobianView> views = jacobians_of(run);
  if (views.empty()) return {};
  const KnownJacobian known = known_jacobian(run);
  Section section{"jacobian", "Jacobian", {}};
  std::string words = "Derivatives of the long-run statistics by the parameters, with one standard error.";
  if (!run.calibrations.empty()) words += " Of the last step of the calibration.";
  if (!known.value.empty()) words += fmt::format(" Known: {}.", known.source);
  section.blocks.push_back(Paragraph{words});
  const bool compared = same_entries(views) && (views.size() > 1 || !known.value.empty());
  if (compared)
    section.blocks.push_back(entries_of_several(views, known));
  else
    for (const JacobianView& view : views) section.blocks.push_back(entries_of_one(view));
  Figure maps{.name = "jacobian-map",
              .title = "Heat map",
              .caption = "Each row is coloured relative to its largest entry.",
              .table = DataTable({"method", "observable", "parameter", "value", "standard_error", "estimated_by"}),
              .width = 420,
              .height = heat_map_height(views[0].observables.size())};
  for (const JacobianView& view : views) maps.panels.push_back(map_of(view, maps.table));
  section.blocks.push_back(std::move(maps));
  if (compared) section.blocks.push_back(agreement_figure(views, known));
  if (std::optional<Table> statistics = statistics_table(views)) section.blocks.push_back(std::move(*statistics));
  for (const JacobianView& view : views) {
    if (std::optional<Table> methods = methods_table(view)) section.blocks.push_back(std::move(*methods));
    if (Checks checks = checks_of(view.diagnostics); !checks.checks.empty()) {
      if (views.size() > 1) section.blocks.push_back(Paragraph{fmt::format("Checks of {}:", view.name)});
      section.blocks.push_back(std::move(checks));
    }
  }
  return section;
}

}  // namespace gfdt::report

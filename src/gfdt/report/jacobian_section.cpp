#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/report/document.hpp"
#include "gfdt/report/findings.hpp"
#include "gfdt/report/heat_map.hpp"
#include "gfdt/report/jacobian_agreement.hpp"
#include "gfdt/report/labels.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/plot.hpp"
#include "gfdt/report/sections.hpp"

namespace gfdt::report {
namespace {

/// Rows are parameters if there are many of them.
Table entries_of_one(const JacobianView& view, const std::string& whose) {
  constexpr std::size_t most_columns = 12;
  if (view.parameters.size() > most_columns && view.parameters.size() > view.observables.size()) {
    Table table{fmt::format("{}∂⟨column⟩/∂row, with standard errors", whose), {""}, {}};
    table.heading.insert(table.heading.end(), view.observables.begin(), view.observables.end());
    for (std::size_t j = 0; j < view.parameters.size(); ++j) {
      table.rows.push_back({view.parameters[j]});
      for (std::size_t m = 0; m < view.observables.size(); ++m)
        table.rows.back().push_back(plus_minus(at(view.value, m, j), at(view.error, m, j)));
    }
    return table;
  }
  Table table{fmt::format("{}∂⟨row⟩/∂column, with standard errors", whose), {""}, {}};
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

/// Rounding errors of quadrature are shown as zero.
std::string known_text(const JacobianView& view, const KnownJacobian& known, std::size_t m, std::size_t j) {
  constexpr double rounding = 1e-10;
  const double value = at(known.value, m, j);
  return std::abs(value) < rounding * row_scale(view, m) ? "0" : plus_minus(value, at(known.error, m, j));
}

/// Averages with and without a control variate, of the first document that has both.
std::optional<Table> statistics_table(const std::vector<JacobianView>& views) {
  for (const JacobianView& view : views) {
    if (!has_plain_statistics(view.statistics)) continue;
    const Values mean = numbers_of(view.statistics, "statistics"),
                 error = numbers_of(view.statistics, "statistics_error");
    Table table{
        "Statistics with and without control variates", {"statistic", "with control variates", "plain average"}, {}};
    for (std::size_t m = 0; m < view.observables.size(); ++m)
      table.rows.push_back(
          {view.observables[m], plus_minus(at(mean, m), at(error, m)), plain_average(view.statistics, m)});
    return table;
  }
  return {};
}

/// "control variate, likelihood ratio" of "control-variate, likelihood-ratio".
std::string estimator_text(const std::string& methods) {
  constexpr std::string_view separator = ", ";
  const std::size_t end = methods.find(separator);
  if (end == std::string::npos) return method_label(methods);
  return fmt::format("{}, {}", method_label(methods.substr(0, end)),
                     estimator_text(methods.substr(end + separator.size())));
}

/// The estimator of each column, if they differ or have remarks.
std::optional<Folded> estimators(const JacobianView& view, const std::string& whose) {
  const bool mixed =
      std::ranges::any_of(view.methods, [&](const std::string& method) { return method != view.methods[0]; });
  const bool remarks = std::ranges::any_of(view.remarks, [](const std::string& remark) { return !remark.empty(); });
  if (!mixed && !remarks) return {};
  Table table{"", {"parameter", "method"}, {}};
  if (remarks) table.heading.emplace_back("remark");
  for (std::size_t j = 0; j < view.parameters.size(); ++j) {
    table.rows.push_back(
        {view.parameters[j], {j < view.methods.size() ? estimator_text(view.methods[j]) : std::string(), "text"}});
    if (remarks) table.rows.back().push_back({j < view.remarks.size() ? view.remarks[j] : std::string(), "text"});
  }
  return Folded{whose + "Estimator of each column", {std::move(table)}};
}

/// Several methods side by side, one row per entry; entries far from the known value are highlighted.
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

Panel map_of(const JacobianView& view, bool titled, DataTable& data) {
  HeatMap map{.title = titled ? view.name : "", .rows = view.observables, .columns = view.parameters};
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

Figure maps_figure(const std::vector<JacobianView>& views) {
  constexpr std::size_t narrow = 8;  // columns that need half of a wide screen
  Figure figure{.name = "jacobian-map",
                .title = "Heat map of the Jacobian",
                .caption = "Colours are relative to the largest entry of each row: orange positive, blue negative.",
                .table = DataTable({"method", "observable", "parameter", "value", "standard_error", "estimated_by"}),
                .width = views[0].parameters.size() > narrow ? 800 : 420,
                .height = heat_map_height(views[0].observables.size())};
  for (const JacobianView& view : views) figure.panels.push_back(map_of(view, views.size() > 1, figure.table));
  return figure;
}

bool same_entries(const std::vector<JacobianView>& views) {
  return std::ranges::all_of(views, [&](const JacobianView& view) {
    return view.observables == views[0].observables && view.parameters == views[0].parameters;
  });
}

}  // namespace

std::optional<Section> jacobian_section(const RunDocuments& run) {
  const std::vector<JacobianView> views = jacobians_of(run);
  if (views.empty()) return {};
  const KnownJacobian known = known_jacobian(run);
  Section section{"jacobian", run.calibrations.empty() ? "Jacobian" : "Jacobian at the answer", {}};
  std::string words = "Derivatives of the long-run statistics with respect to the parameters, with standard errors.";
  if (!run.calibrations.empty()) words += " From the last accepted step of the calibration.";
  if (!known.value.empty()) words += fmt::format(" Known values: {}.", known.source);
  section.blocks.push_back(Paragraph{words});
  const bool several = views.size() > 1, compared = same_entries(views) && (several || !known.value.empty());
  section.blocks.push_back(maps_figure(views));
  if (compared) section.blocks.push_back(agreement_figure(views, known));
  if (compared) section.blocks.push_back(entries_of_several(views, known));
  for (const JacobianView& view : views) {
    const std::string whose = several ? view.name + ": " : "";
    if (!compared) section.blocks.push_back(entries_of_one(view, whose));
    if (Checks checks = checks_of(view.findings); !checks.checks.empty()) {
      if (several) section.blocks.push_back(Paragraph{fmt::format("Checks of {}:", view.name)});
      for (Block& block : check_blocks(checks)) section.blocks.push_back(std::move(block));
    }
    if (std::optional<Folded> methods = estimators(view, whose)) section.blocks.push_back(std::move(*methods));
  }
  if (std::optional<Table> statistics = statistics_table(views)) section.blocks.push_back(std::move(*statistics));
  return section;
}

}  // namespace gfdt::report

#include "gfdt/report/search_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/report/document.hpp"
#include "gfdt/report/number_text.hpp"

namespace gfdt::report {
namespace {

using Point = CalibrationPath::Point;

/// A quantity during the search: its distance from a reference in units of `scale`, the distance at the guess.
struct Quantity {
  std::string name;
  double reference;
  double scale;
};

double first_finite(const std::vector<CalibrationPath>& paths, double (*get)(const Point&, std::size_t),
                    std::size_t n) {
  for (const CalibrationPath& path : paths)
    if (!path.points.empty() && std::isfinite(get(path.points[0], n))) return std::abs(get(path.points[0], n));
  return no_number;
}

std::vector<Quantity> statistics_of(const RunDocuments& run, const std::vector<CalibrationPath>& paths) {
  const std::vector<std::string> names = target_names(run);
  const std::vector<double> values = numbers_of(entry(run.calibrations[0].result, "targets"), "value");
  std::vector<Quantity> list;
  for (std::size_t m = 0; m < names.size(); ++m) {
    const double start = first_finite(
        paths, [](const Point& p, std::size_t n) { return at(p.residual, n); }, m);
    const double noise = first_finite(
        paths, [](const Point& p, std::size_t n) { return at(p.residual_error, n); }, m);
    list.push_back({names[m], at(values, m), std::max(start, noise)});
  }
  return list;
}

std::vector<Quantity> parameters_of(const RunDocuments& run, const std::vector<CalibrationPath>& paths,
                                    const ParameterReference& reference) {
  const std::vector<std::string> names = free_parameters(run);
  std::vector<Quantity> list;
  for (std::size_t j = 0; j < names.size(); ++j) {
    double scale = 0;
    for (const CalibrationPath& path : paths) {
      if (path.points.empty()) continue;
      scale = std::max(scale, std::abs(at(path.points[0].parameters, j) - at(reference.values, j)));
      if (const double error = at(path.parameters_error, j); std::isfinite(error)) scale = std::max(scale, error);
    }
    list.push_back({names[j], at(reference.values, j), scale > 0 ? scale : 1});
  }
  return list;
}

/// Keeps the panels of the quantities that stand out most, in their order; the table holds all.
void keep_largest(Figure& figure, const Values& sizes) {
  constexpr std::size_t most = 12;
  const std::size_t all = figure.panels.size();
  if (all <= most) return;
  std::vector<std::size_t> order(all);
  for (std::size_t i = 0; i < all; ++i) order[i] = i;
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t i) { return std::isfinite(at(sizes, i)) ? sizes[i] : 0; });
  order.resize(most);
  std::ranges::sort(order);
  std::vector<Panel> kept;
  for (std::size_t i : order) kept.push_back(std::move(figure.panels[i]));
  figure.panels = std::move(kept);
  const bool known = std::ranges::any_of(sizes, [](double size) { return std::isfinite(size); });
  figure.caption += known
                        ? fmt::format(" The {} of {} with the largest change in standard errors are drawn.", most, all)
                        : fmt::format(" The first {} of {} are drawn.", most, all);
}

}  // namespace

std::vector<Key> keys_of_methods(const std::vector<CalibrationPath>& paths) {
  std::vector<Key> keys;
  for (std::size_t i = 0; i < paths.size(); ++i)
    keys.push_back({paths[i].name, paths[i].name, curve_colour(i), "line"});
  return keys;
}

void count_steps(Json& layout, const std::vector<CalibrationPath>& paths) {
  double last = 1;
  for (const CalibrationPath& path : paths)
    if (!path.points.empty()) last = std::max(last, path.points.back().step);
  layout["xaxis"]["dtick"] = std::max(1.0, std::ceil(last / 8));
  layout["xaxis"]["range"] = {-0.03 * last, 1.03 * last};
}

Figure statistics_figure(const RunDocuments& run, const std::vector<CalibrationPath>& paths) {
  Figure figure{.name = "statistics",
                .title = "Statistics during the search",
                .caption =
                    "Model − target, in units of its size at the first guess, or of its standard error if that is "
                    "larger; 0 is the target. Bands: one standard error.",
                .keys = keys_of_methods(paths),
                .table = DataTable({"method", "statistic", "step", "value", "standard_error", "target",
                                    "target_standard_error", "normalised"}),
                .width = 262,
                .height = 250};
  figure.keys.push_back({"target", "data (target)", "muted", "band"});
  const std::vector<double> errors = target_errors(entry(run.calibrations[0].result, "targets"));
  const std::vector<Quantity> quantities = statistics_of(run, paths);
  Values starts;
  for (std::size_t m = 0; m < quantities.size(); ++m) {
    const Quantity& quantity = quantities[m];
    starts.push_back(first_finite(
        paths, [](const Point& p, std::size_t n) { return at(p.residual, n) / at(p.residual_error, n); }, m));
    Panel panel;
    panel.layout = axes("step", "", quantity.name);
    count_steps(panel.layout, paths);
    const double last = panel.layout["xaxis"]["range"][1].get<double>(), band = at(errors, m) / quantity.scale;
    panel.traces.push_back(
        band_trace({-last, 2 * last}, {-band, -band}, {band, band}, {.colour = "muted", .group = "target"}, 0.2));
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const Stroke stroke{.colour = curve_colour(i), .group = paths[i].name, .points = true};
      const auto scaled = [&](int side) {
        return each(paths[i], [&](const Point& p) {
          return (at(p.residual, m) + side * at(p.statistics_error, m)) / quantity.scale;
        });
      };
      const Values x = each(paths[i], [](const Point& p) { return p.step; });
      std::vector<std::string> words;
      for (const Point& p : paths[i].points) {
        words.push_back(fmt::format(
            "{}, step {}<br>{} = {}<br>target {}", plot_text(paths[i].name), p.step, plot_text(quantity.name),
            plus_minus(at(p.statistics, m), at(p.statistics_error, m)), plus_minus(quantity.reference, at(errors, m))));
        figure.table.add({paths[i].name, quantity.name, p.step, plot_number(at(p.statistics, m)),
                          plot_number(at(p.statistics_error, m)), plot_number(quantity.reference),
                          plot_number(at(errors, m)), plot_number(at(p.residual, m) / quantity.scale)});
      }
      panel.traces.push_back(band_trace(x, scaled(-1), scaled(1), stroke));
      panel.traces.push_back(line_trace(x, scaled(0), stroke, words));
    }
    figure.panels.push_back(std::move(panel));
  }
  keep_largest(figure, starts);
  return figure;
}

Figure parameters_figure(const RunDocuments& run, const std::vector<CalibrationPath>& paths) {
  const ParameterReference reference = reference_of(run, free_parameters(run));
  Figure figure{.name = "parameters",
                .title = "Parameters during the search",
                .caption = fmt::format("Distance from {}, in units of that of the first guess, or of the standard "
                                       "error if that is larger. Error bars: one standard error of the answer.",
                                       reference.words),
                .keys = keys_of_methods(paths),
                .table = DataTable({"method", "parameter", "step", "value", "standard_error", "normalised"}),
                .width = 262,
                .height = 250};
  const std::vector<Quantity> quantities = parameters_of(run, paths, reference);
  Values changes;
  for (std::size_t j = 0; j < quantities.size(); ++j) {
    const Quantity& quantity = quantities[j];
    changes.push_back(std::abs(at(paths[0].points[0].parameters, j) - quantity.reference) /
                      at(paths[0].parameters_error, j));
    Panel panel;
    panel.layout = axes("step", "", quantity.name);
    count_steps(panel.layout, paths);
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const Stroke stroke{.colour = curve_colour(i), .group = paths[i].name, .points = true};
      const Values x = each(paths[i], [](const Point& p) { return p.step; });
      const Values y =
          each(paths[i], [&](const Point& p) { return (at(p.parameters, j) - quantity.reference) / quantity.scale; });
      std::vector<std::string> words;
      Values errors(x.size(), no_number);
      if (!errors.empty()) errors.back() = at(paths[i].parameters_error, j) / quantity.scale;
      for (std::size_t k = 0; k < x.size(); ++k) {
        const double value = at(paths[i].points[k].parameters, j), error = errors[k] * quantity.scale;
        words.push_back(fmt::format("{}, step {}<br>{} = {}", plot_text(paths[i].name), x[k], plot_text(quantity.name),
                                    plus_minus(value, error)));
        figure.table.add(
            {paths[i].name, quantity.name, x[k], plot_number(value), plot_number(error), plot_number(y[k])});
      }
      panel.traces.push_back(error_bars(line_trace(x, y, stroke, words), errors));
    }
    figure.panels.push_back(std::move(panel));
  }
  keep_largest(figure, changes);
  return figure;
}

}  // namespace gfdt::report

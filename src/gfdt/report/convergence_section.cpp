#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/report/calibration_path.hpp"
#include "gfdt/report/document.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/plot.hpp"
#include "gfdt/report/sections.hpp"

namespace gfdt::report {
namespace {

using Point = CalibrationPath::Point;

template <class Get>
Values each(const CalibrationPath& path, Get get) {
  Values values;
  for (const Point& point : path.points) values.push_back(get(point));
  return values;
}

std::vector<Key> keys_of_methods(const std::vector<CalibrationPath>& paths) {
  std::vector<Key> keys;
  for (std::size_t i = 0; i < paths.size(); ++i)
    keys.push_back({paths[i].name, paths[i].name, curve_colour(i), "line"});
  return keys;
}

/// The longest ticks are whole steps.
void count_steps(Json& layout, const std::vector<CalibrationPath>& paths) {
  double last = 1;
  for (const CalibrationPath& path : paths)
    if (!path.points.empty()) last = std::max(last, path.points.back().step);
  layout["xaxis"]["dtick"] = std::max(1.0, std::ceil(last / 8));
  layout["xaxis"]["range"] = {-0.03 * last, 1.03 * last};
}

Panel mismatch_panel(const std::vector<CalibrationPath>& paths, bool by_cost) {
  Panel panel;
  panel.layout = axes(by_cost ? "simulated time" : "step", "norm of the mismatch, ‖G − A‖");
  if (by_cost)
    panel.layout["xaxis"]["rangemode"] = "tozero";
  else
    count_steps(panel.layout, paths);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const CalibrationPath& path = paths[i];
    const Stroke stroke{.colour = curve_colour(i), .group = path.name, .points = true};
    const Values x = each(path, [&](const Point& p) { return by_cost ? p.spent : p.step; });
    // A logarithmic axis has no room for what reaches down to zero.
    const auto edge = [&](int side) {
      return each(path,
                  [&](const Point& p) { return std::max(p.mismatch + side * p.mismatch_error, p.mismatch / 10); });
    };
    std::vector<std::string> words;
    for (const Point& p : path.points)
      words.push_back(fmt::format("{}, step {}<br>‖G − A‖ = {}<br>{} time units simulated", plot_text(path.name),
                                  p.step, plus_minus(p.mismatch, p.mismatch_error), brief(p.spent)));
    panel.traces.push_back(band_trace(x, edge(-1), edge(1), stroke, 0.15));
    panel.traces.push_back(line_trace(x, each(path, [](const Point& p) { return p.mismatch; }), stroke, words));
  }
  if (!paths.empty() && paths[0].noise > 0) add_level(panel.layout, paths[0].noise, "muted");
  make_logarithmic(panel);
  return panel;
}

Figure mismatch_figure(const std::vector<CalibrationPath>& paths) {
  Figure figure{.name = "mismatch",
                .title = "Mismatch between model and targets",
                .caption =
                    "Norm of the mismatch by step and by what was simulated. Bands: one standard error of the "
                    "simulation. The dotted line is what the noise of targets and simulation makes by itself.",
                .keys = keys_of_methods(paths),
                .table = DataTable({"method", "step", "simulated_time", "mismatch", "standard_error"}),
                .width = 420,
                .height = 340};
  figure.panels = {mismatch_panel(paths, false), mismatch_panel(paths, true)};
  for (const CalibrationPath& path : paths)
    for (const Point& p : path.points)
      figure.table.add(
          {path.name, p.step, plot_number(p.spent), plot_number(p.mismatch), plot_number(p.mismatch_error)});
  return figure;
}

/// A quantity on its way: how far it is from where it should be, in units of how far it was.
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

Figure statistics_figure(const RunDocuments& run, const std::vector<CalibrationPath>& paths) {
  Figure figure{.name = "statistics",
                .title = "Statistics on their way to the targets",
                .caption =
                    "(G − A) in units of its size at the guess, or of its error where that is larger: 0 is the target. "
                    "Bands: one standard "
                    "error of the simulation; grey: of the target.",
                .keys = keys_of_methods(paths),
                .table = DataTable({"method", "statistic", "step", "value", "standard_error", "target",
                                    "target_standard_error", "normalised"}),
                .width = 262,
                .height = 250};
  figure.keys.push_back({"target", "target", "muted", "band"});
  const std::vector<double> errors = target_errors(entry(run.calibrations[0].result, "targets"));
  const std::vector<Quantity> quantities = statistics_of(run, paths);
  for (std::size_t m = 0; m < quantities.size(); ++m) {
    const Quantity& quantity = quantities[m];
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
    if (figure.panels.size() < most_panels) figure.panels.push_back(std::move(panel));
  }
  return figure;
}

Figure parameters_figure(const RunDocuments& run, const std::vector<CalibrationPath>& paths) {
  const ParameterReference reference = reference_of(run, free_parameters(run));
  Figure figure{.name = "parameters",
                .title = "Parameters on their way",
                .caption = fmt::format("Distance from {} in units of that of the guess, or of the standard error where "
                                       "that is larger: 0 is there. Error "
                                       "bars at the end: one standard error of the answer.",
                                       reference.words),
                .keys = keys_of_methods(paths),
                .table = DataTable({"method", "parameter", "step", "value", "standard_error", "normalised"}),
                .width = 262,
                .height = 250};
  const std::vector<Quantity> quantities = parameters_of(run, paths, reference);
  for (std::size_t j = 0; j < quantities.size(); ++j) {
    const Quantity& quantity = quantities[j];
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
    if (figure.panels.size() < most_panels) figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace

std::optional<Section> convergence_section(const RunDocuments& run) {
  std::vector<CalibrationPath> paths;
  for (const CalibrationDocuments& calibration : run.calibrations) paths.push_back(path_of(calibration));
  std::erase_if(paths, [](const CalibrationPath& path) { return path.points.empty(); });
  if (paths.empty()) return {};
  Section section{"convergence", "Convergence", {}};
  section.blocks.push_back(mismatch_figure(paths));
  section.blocks.push_back(statistics_figure(run, paths));
  section.blocks.push_back(parameters_figure(run, paths));
  return section;
}

}  // namespace gfdt::report

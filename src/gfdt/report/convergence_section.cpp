#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/report/labels.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/search_figures.hpp"
#include "gfdt/report/sections.hpp"

namespace gfdt::report {
namespace {

using Point = CalibrationPath::Point;

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
    // Zero has no place on a logarithmic axis.
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
  Figure figure{
      .name = "mismatch",
      .title = "Mismatch between model and targets",
      .caption =
          "Norm of the mismatch at each step and against the simulated time. Bands: one standard error of the "
          "simulation. Dotted line: norm expected from the noise of targets and simulation alone.",
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

}  // namespace

std::optional<Section> convergence_section(const RunDocuments& run) {
  std::vector<CalibrationPath> paths;
  const std::vector<std::string> labels = calibration_labels(run);
  for (std::size_t i = 0; i < run.calibrations.size(); ++i) {
    paths.push_back(path_of(run.calibrations[i]));
    paths.back().name = labels[i];
  }
  std::erase_if(paths, [](const CalibrationPath& path) { return path.points.empty(); });
  if (paths.empty()) return {};
  Section section{"convergence", "Convergence", {}};
  section.blocks.push_back(mismatch_figure(paths));
  section.blocks.push_back(statistics_figure(run, paths));
  section.blocks.push_back(parameters_figure(run, paths));
  return section;
}

}  // namespace gfdt::report

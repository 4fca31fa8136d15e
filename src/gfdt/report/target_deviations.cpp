#include "gfdt/report/target_deviations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/report/calibration_path.hpp"
#include "gfdt/report/document.hpp"
#include "gfdt/report/dot_plot.hpp"
#include "gfdt/report/labels.hpp"
#include "gfdt/report/number_text.hpp"

namespace gfdt::report {
namespace {

const Json& first_iteration(const Json& result) {
  static const Json nothing;
  const Json& iterations = entry(result, "iterations");
  return iterations.is_array() && !iterations.empty() ? iterations[0] : nothing;
}

std::vector<std::string> words_of(const std::vector<std::string>& names, const std::string& who, const Values& model,
                                  const Values& model_error, const Json& targets, const Values& deviations) {
  const Values value = numbers_of(targets, "value"), error = target_errors(targets);
  std::vector<std::string> words;
  for (std::size_t m = 0; m < names.size(); ++m)
    words.push_back(fmt::format("{}<br>{} {}<br>data {}<br>{:+.2f} standard deviations", plot_text(names[m]),
                                plot_text(who), plus_minus(at(model, m), at(model_error, m)),
                                plus_minus(at(value, m), at(error, m)), at(deviations, m)));
  return words;
}

template <class T>
std::vector<T> picked(const std::vector<T>& values, const std::vector<std::size_t>& order) {
  std::vector<T> result;
  for (std::size_t m : order)
    if (m < values.size()) result.push_back(values[m]);
  return result;
}

/// In the order of the problem; many are sorted by the deviation of the first calibration.
std::vector<std::size_t> order_of(const std::vector<std::string>& names, const Values& deviations) {
  constexpr std::size_t most_unsorted = 12;
  std::vector<std::size_t> order(names.size());
  for (std::size_t m = 0; m < names.size(); ++m) order[m] = m;
  if (names.size() <= most_unsorted) return order;
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t m) {
    return std::isfinite(at(deviations, m)) ? std::abs(deviations[m]) : 0;
  });
  if (order.size() > most_dot_rows) order.resize(most_dot_rows);
  return order;
}

}  // namespace

Values guess_statistics(const RunDocuments& run) {
  return run.calibrations.empty() ? Values() : numbers_of(first_iteration(run.calibrations[0].result), "statistics");
}

Figure deviations_figure(const RunDocuments& run) {
  constexpr double nearest_end = 4, farthest_end = 12;
  const std::vector<std::string> names = target_names(run), labels = calibration_labels(run);
  Figure figure{.name = "target-deviations",
                .title = "Statistics compared with their targets",
                .caption =
                    "Difference in standard deviations of targets and simulation together. Bands: ±1 and ±2, "
                    "triangles: beyond the axis.",
                .table = DataTable({"statistic", "model", "deviation"}),
                .width = 480};
  DotPlot plot{
      .across = "(model − target) / standard deviation", .rows = {}, .series = {}, .reach = nearest_end, .bands = true};
  const auto add = [&](const std::string& who, const Json& document, const std::string& colour,
                       const std::string& symbol) {
    const Values deviations = numbers_of(document, "deviations");
    if (deviations.empty()) return;
    plot.series.push_back(
        {who, colour, symbol, deviations,
         words_of(names, who, numbers_of(document, "statistics"), numbers_of(document, "statistics_error"),
                  entry(run.calibrations[0].result, "targets"), deviations)});
    figure.keys.push_back({who, who, colour, symbol == "circle" ? "point" : "ring"});
    for (std::size_t m = 0; m < names.size(); ++m) figure.table.add({names[m], who, plot_number(at(deviations, m))});
  };
  for (std::size_t i = 0; i < run.calibrations.size(); ++i) {
    const Json& result = run.calibrations[i].result;
    add(labels[i], result, curve_colour(i), "circle");
    for (double deviation : numbers_of(result, "deviations"))
      if (std::isfinite(deviation))
        plot.reach = std::max(plot.reach, std::min(1.1 * std::abs(deviation), farthest_end));
  }
  if (plot.series.empty()) return figure;
  add(guess_label, first_iteration(run.calibrations[0].result), guess_colour, "circle-open");
  const std::vector<std::size_t> order = order_of(names, plot.series[0].values);
  plot.rows = picked(names, order);
  for (DotSeries& series : plot.series) {
    series.values = picked(series.values, order);
    series.words = picked(series.words, order);
  }
  if (order.size() < names.size())
    figure.caption += fmt::format(" The {} largest deviations of {} are drawn.", order.size(), names.size());
  figure.height = dot_plot_height(plot.rows.size());
  figure.panels.push_back(dot_plot(plot));
  return figure;
}

}  // namespace gfdt::report

#include "gfdt/report/dot_plot.hpp"

#include <algorithm>
#include <cmath>

namespace gfdt::report {
namespace {

constexpr std::size_t dense = 14;  // rows; more than these are closer together

/// Points of a series on their rows; several series are beside each other.
Json trace_of(const DotPlot& plot, const DotSeries& series, double offset) {
  Values x, y;
  Json symbols = Json::array();
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(plot.rows.size(), series.values.size()); ++i) {
    const double value = series.values[i];
    if (std::isnan(value) || (plot.logarithmic && !(value > 0 && std::isfinite(value)))) continue;
    const bool beyond = plot.reach > 0 && std::abs(value) > plot.reach;
    x.push_back(beyond ? std::copysign(0.97 * plot.reach, value) : value);
    y.push_back(static_cast<double>(i) + offset);
    symbols.push_back(!beyond ? series.symbol : value > 0 ? "triangle-right" : "triangle-left");
    words.push_back(i < series.words.size() ? series.words[i] : plot_text(plot.rows[i]));
  }
  Json trace = line_trace(x, y, {.colour = series.colour, .group = series.group, .points = true}, words);
  trace["mode"] = "markers";
  trace["marker"]["symbol"] = std::move(symbols);
  trace["marker"]["size"] = plot.rows.size() > dense ? 7 : 10;
  return trace;
}

}  // namespace

int dot_plot_height(std::size_t rows) {
  return static_cast<int>(70 + (rows > dense ? 15 : 38) * std::min(rows, most_dot_rows));
}

Panel dot_plot(const DotPlot& plot) {
  Panel panel;
  panel.layout = axes(plot.across, "");
  const double last = static_cast<double>(plot.rows.size()) - 0.5;
  if (plot.bands)
    for (const double reach : {2.0, 1.0})
      panel.traces.push_back(
          band_trace({-reach, reach}, {-0.5, -0.5}, {last, last}, {.colour = "muted", .group = "bands"}, 0.12));
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const double offset = 0.5 * ((static_cast<double>(s) + 0.5) / static_cast<double>(plot.series.size()) - 0.5);
    panel.traces.push_back(trace_of(plot, plot.series[s], plot.rows.size() > dense ? 0 : offset));
  }
  Json places = Json::array(), names = Json::array();
  for (std::size_t i = 0; i < plot.rows.size(); ++i) {
    places.push_back(i);
    names.push_back(plot_text(plot.rows[i]));
  }
  panel.layout["yaxis"].update({{"tickvals", std::move(places)},
                                {"ticktext", std::move(names)},
                                {"range", {last, -0.5}},  // downwards
                                {"zeroline", false}});
  if (plot.rows.size() > dense) panel.layout["yaxis"]["tickfont"] = {{"size", 11}, {"color", "@muted"}};
  if (plot.reach > 0) panel.layout["xaxis"]["range"] = {-plot.reach, plot.reach};
  if (plot.logarithmic) panel.layout["xaxis"].update({{"type", "log"}, {"dtick", 1}, {"tickformat", "~%"}});
  panel.layout["margin"] = {{"t", 12}};
  return panel;
}

}  // namespace gfdt::report

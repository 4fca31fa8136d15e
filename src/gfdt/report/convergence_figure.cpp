#include "gfdt/report/convergence_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gfdt/report/round_ticks.hpp"
#include "gfdt/report/svg.hpp"

namespace gfdt::report {
namespace {

// Pixels.
constexpr double panel_width = 320, panel_height = 150;
constexpr double left = 70, between = 60, above = 30, below = 44, head = 34, names_width = 150;
constexpr double tall_height = 2 * panel_height + above + below;
constexpr double cell_height = above + panel_height + below;
constexpr double right_side = left + panel_width + between;
constexpr double width = right_side + panel_width + names_width, height = head + above + tall_height + below;

constexpr std::size_t colours = 8;
constexpr double reach = 2;  // of rescaled deviations

constexpr const char* style = R"(.line { fill: none; stroke-width: 1.7; stroke-linejoin: round; }
.point { stroke: none; } .noise { fill: none; stroke: #777; stroke-dasharray: 6 4; } .key { stroke: #666; fill: none; }
.c0 { stroke: #1d6fb8; } .c1 { stroke: #c2410c; } .c2 { stroke: #15803d; } .c3 { stroke: #7c3aed; }
.c4 { stroke: #a16207; } .c5 { stroke: #be185d; } .c6 { stroke: #0f766e; } .c7 { stroke: #555; }
.point.c0 { fill: #1d6fb8; } .point.c1 { fill: #c2410c; } .point.c2 { fill: #15803d; } .point.c3 { fill: #7c3aed; }
.point.c4 { fill: #a16207; } .point.c5 { fill: #be185d; } .point.c6 { fill: #0f766e; } .point.c7 { fill: #555; }
)";
constexpr const char* style_in_the_dark = R"(.noise, .key { stroke: #999; }
.c0 { stroke: #60a5fa; } .c1 { stroke: #fb923c; } .c2 { stroke: #4ade80; } .c3 { stroke: #a78bfa; }
.c4 { stroke: #facc15; } .c5 { stroke: #f472b6; } .c6 { stroke: #2dd4bf; } .c7 { stroke: #aaa; }
.point.c0 { fill: #60a5fa; } .point.c1 { fill: #fb923c; } .point.c2 { fill: #4ade80; } .point.c3 { fill: #a78bfa; }
.point.c4 { fill: #facc15; } .point.c5 { fill: #f472b6; } .point.c6 { fill: #2dd4bf; } .point.c7 { fill: #aaa; }
)";

/// Statistics and parameters are told apart by how their lines are broken.
constexpr std::array<const char*, 6> dashes{"none", "7 3", "2 3", "9 3 2 3", "4 2", "12 4"};

/// A panel with its upper left corner of the plot at (x, y).
struct Plot {
  double x, y, height, last_step, lowest, highest;

  double across(double step) const { return x + panel_width * step / last_step; }
  double down(double value) const { return y + height * (highest - value) / (highest - lowest); }

  std::string grid_line(double value, const std::string& label) const {
    return fmt::format(
        "<path class=\"grid\" d=\"M{:.1f} {:.1f}h{:.1f}\"/><text class=\"tick\" text-anchor=\"end\" x=\"{:.1f}\" "
        "y=\"{:.1f}\">{}</text>\n",
        x, down(value), panel_width, x - 6, down(value) + 4, label);
  }

  std::string frame(const std::string& title) const {
    const double bottom = y + height;
    std::string svg = fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>\n", x, bottom, panel_width);
    for (double tick : round_ticks(0, last_step, 9))
      if (tick == std::floor(tick))
        svg += fmt::format(
            "<path class=\"axis\" d=\"M{0:.1f} {1:.1f}v4\"/><text class=\"tick\" text-anchor=\"middle\" "
            "x=\"{0:.1f}\" y=\"{2:.1f}\">{3:g}</text>\n",
            across(tick), bottom, bottom + 16, tick);
    svg += fmt::format("<text class=\"title\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x, y - 10, svg_escaped(title));
    return svg + fmt::format("<text text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">step</text>\n",
                             x + panel_width / 2, bottom + 34);
  }

  /// Points that are no numbers are left out.
  std::string line(const std::vector<double>& steps, const std::vector<double>& values, std::size_t method,
                   std::size_t component) const {
    std::string path, points;
    for (std::size_t i = 0; i < std::min(steps.size(), values.size()); ++i) {
      if (!std::isfinite(values[i])) continue;
      const double to_right = across(steps[i]), to_bottom = down(std::clamp(values[i], lowest, highest));
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", to_right, to_bottom);
      points += fmt::format("<circle class=\"point c{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.4\"/>", method % colours,
                            to_right, to_bottom);
    }
    if (path.empty()) return {};
    return fmt::format("<path class=\"line c{}\" stroke-dasharray=\"{}\" d=\"{}\"/>{}\n", method % colours,
                       dashes[component % dashes.size()], path, points);
  }
};

double last_step(const Convergence& convergence) {
  double last = 1;
  for (const ConvergenceSeries& series : convergence.methods)
    for (double step : series.step) last = std::max(last, step);
  return last;
}

/// log₁₀, and no number for what has none.
std::vector<double> logarithms(const std::vector<double>& values) {
  std::vector<double> result;
  for (double value : values)
    result.push_back(value > 0 ? std::log10(value) : std::numeric_limits<double>::quiet_NaN());
  return result;
}

std::string mismatch_panel(const Convergence& convergence, double last) {
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  const auto include = [&](double exponent) {
    if (!std::isfinite(exponent)) return;
    lowest = std::min(lowest, exponent);
    highest = std::max(highest, exponent);
  };
  for (const ConvergenceSeries& series : convergence.methods)
    for (double exponent : logarithms(series.mismatch)) include(exponent);
  if (convergence.noise) include(std::log10(*convergence.noise));
  if (!(highest >= lowest)) lowest = highest = 0;
  constexpr double margin = 0.1;
  const Plot plot{left, head + above, tall_height, last, lowest - margin, highest + margin};
  std::string svg = "<g>\n";
  const bool few_decades = plot.highest - plot.lowest < 3;
  for (double decade = std::floor(plot.lowest); decade <= plot.highest; ++decade)
    for (double factor : few_decades ? std::vector<double>{1, 2, 5} : std::vector<double>{1})
      if (const double at = decade + std::log10(factor); at >= plot.lowest && at <= plot.highest)
        svg += plot.grid_line(at, fmt::format("{:g}", factor * std::pow(10, decade)));
  if (convergence.noise && *convergence.noise > 0) {
    const double at = plot.down(std::log10(*convergence.noise));
    svg += fmt::format(
        "<path class=\"noise\" d=\"M{:.1f} {:.1f}h{:.1f}\"/><text class=\"tick\" text-anchor=\"end\" x=\"{:.1f}\" "
        "y=\"{:.1f}\">noise</text>\n",
        left, at, panel_width, left + panel_width, at - 5);
  }
  for (std::size_t i = 0; i < convergence.methods.size(); ++i)
    svg += plot.line(convergence.methods[i].step, logarithms(convergence.methods[i].mismatch), i, 0);
  return svg + plot.frame("Norm of the mismatch") + "</g>\n";
}

/// What the ways of breaking a line stand for.
std::string component_names(const std::vector<std::string>& names, double y) {
  constexpr std::size_t most = 9;
  constexpr double x = right_side + panel_width + 14, line_height = 16;
  std::string svg;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    svg += fmt::format(
        "<path class=\"key\" stroke-dasharray=\"{}\" d=\"M{:.1f} {:.1f}h26\"/><text class=\"tick\" x=\"{:.1f}\" "
        "y=\"{:.1f}\">{}</text>\n",
        dashes[i % dashes.size()], x, y + 6 + line_height * static_cast<double>(i), x + 32,
        y + 10 + line_height * static_cast<double>(i), svg_escaped(names[i]));
  if (names.size() > most)
    svg += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\">and {} more</text>\n", x,
                       y + 10 + line_height * static_cast<double>(most), names.size() - most);
  return svg;
}

using Deviations = std::vector<std::vector<double>> ConvergenceSeries::*;

std::string deviations_panel(const Convergence& convergence, Deviations deviations,
                             const std::vector<std::string>& names, const std::string& title, double y, double last) {
  std::vector<std::vector<std::vector<double>>> lines;  // [method][component][point]
  double lowest = -0.2, highest = 0.2;
  for (const ConvergenceSeries& series : convergence.methods) {
    lines.emplace_back();
    for (const std::vector<double>& values : series.*deviations) {
      lines.back().push_back(rescaled(values));
      for (double value : lines.back().back())
        if (std::isfinite(value)) {
          lowest = std::min(lowest, std::max(value, -reach));
          highest = std::max(highest, std::min(value, reach));
        }
    }
  }
  const double margin = 0.04 * (highest - lowest);
  const Plot plot{right_side, y, panel_height, last, lowest - margin, highest + margin};
  std::string svg = "<g>\n";
  for (double tick : round_ticks(plot.lowest, plot.highest, 6)) svg += plot.grid_line(tick, fmt::format("{:g}", tick));
  svg += fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>\n", plot.x, plot.down(0), panel_width);
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (std::size_t j = 0; j < lines[i].size(); ++j) svg += plot.line(convergence.methods[i].step, lines[i][j], i, j);
  return svg + plot.frame(title) + component_names(names, y) + "</g>\n";
}

std::string method_names(const Convergence& convergence) {
  std::string svg;
  double x = left;
  for (std::size_t i = 0; i < convergence.methods.size(); ++i) {
    const std::string& name = convergence.methods[i].method;
    svg += fmt::format("<path class=\"line c{}\" d=\"M{:.1f} 18h22\"/><text x=\"{:.1f}\" y=\"22\">{}</text>\n",
                       i % colours, x, x + 28, svg_escaped(name));
    x += 50 + 7 * static_cast<double>(name.size());
  }
  return svg;
}

}  // namespace

std::vector<double> rescaled(const std::vector<double>& deviations) {
  if (deviations.empty() || !std::isfinite(deviations[0]) || deviations[0] == 0) return {};
  std::vector<double> result;
  for (double deviation : deviations) result.push_back(deviation / std::abs(deviations[0]));
  return result;
}

std::string convergence_svg(const Convergence& convergence) {
  const double last = last_step(convergence), lower = head + above + cell_height;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "role=\"img\">\n<title>{2}</title>\n",
      width, height, svg_escaped(convergence.title));
  svg += svg_style(style, style_in_the_dark);
  svg += fmt::format("<rect class=\"ground\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", width, height);
  svg += method_names(convergence) + mismatch_panel(convergence, last);
  svg += deviations_panel(convergence, &ConvergenceSeries::statistics, convergence.statistics,
                          "Statistics, from their targets", head + above, last);
  svg += deviations_panel(convergence, &ConvergenceSeries::parameters, convergence.parameters,
                          "Parameters, from " + convergence.parameters_from, lower, last);
  return svg + "</svg>\n";
}

}  // namespace gfdt::report

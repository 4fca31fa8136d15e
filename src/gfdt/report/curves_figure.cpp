#include "gfdt/report/curves_figure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/report/round_ticks.hpp"
#include "gfdt/report/svg.hpp"

namespace gfdt::report {
namespace {

// Pixels.
constexpr double panel_width = 260, panel_height = 190;
constexpr double left = 62, right = 14, above = 30, below = 44;
constexpr double cell_width = left + panel_width + right, cell_height = above + panel_height + below;
constexpr double head = 34;

constexpr const char* colours = R"(.exact { fill: none; stroke: #7c3aed; stroke-width: 2; stroke-linejoin: round; }
.estimate { fill: none; stroke: #1d6fb8; stroke-width: 1.8; stroke-dasharray: 6 3; }
.band { fill: #1d6fb8; fill-opacity: 0.18; stroke: none; }
)";
constexpr const char* colours_in_the_dark =
    ".exact { stroke: #a78bfa; } .estimate { stroke: #60a5fa; } .band { fill: #60a5fa; }\n";

/// A panel with its upper left corner of the plot at (x, y).
class Panel {
 public:
  Panel(const CurvePanel& panel, double x, double y) : panel_(panel), x_(x), y_(y) {
    lowest_ = highest_ = panel.exact.at(0);
    for (std::size_t i = 0; i < panel.x.size(); ++i) {
      lowest_ = std::min({lowest_, panel.exact[i], edge(i, -1)});
      highest_ = std::max({highest_, panel.exact[i], edge(i, 1)});
    }
    const double margin = highest_ > lowest_ ? 0.05 * (highest_ - lowest_) : 1;
    lowest_ -= margin;
    highest_ += margin;
  }

  std::string drawn() const {
    const double bottom = y_ + panel_height;
    std::string svg = "<g>\n";
    for (double tick : round_ticks(lowest_, highest_, 6))
      svg += fmt::format(
          "<path class=\"grid\" d=\"M{:.1f} {:.1f}h{:.1f}\"/><text class=\"tick\" text-anchor=\"end\" x=\"{:.1f}\" "
          "y=\"{:.1f}\">{:g}</text>\n",
          x_, down(tick), panel_width, x_ - 6, down(tick) + 4, tick);
    svg += fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>\n", x_, bottom, panel_width);
    for (double tick : round_ticks(panel_.x.front(), panel_.x.back(), 7))
      svg += fmt::format(
          "<path class=\"axis\" d=\"M{0:.1f} {1:.1f}v4\"/><text class=\"tick\" text-anchor=\"middle\" x=\"{0:.1f}\" "
          "y=\"{2:.1f}\">{3:g}</text>\n",
          across(tick), bottom, bottom + 16, tick);
    svg += fmt::format("<path class=\"band\" d=\"{}Z\"/>\n", band());
    svg += fmt::format("<path class=\"estimate\" d=\"{}\"/>\n", line(panel_.estimate));
    svg += fmt::format("<path class=\"exact\" d=\"{}\"/>\n", line(panel_.exact));
    svg += fmt::format("<text class=\"title\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x_, y_ - 10,
                       svg_escaped(panel_.title));
    svg += fmt::format("<text text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x_ + panel_width / 2,
                       bottom + 34, svg_escaped(panel_.across));
    return svg + "</g>\n";
  }

 private:
  double edge(std::size_t i, int side) const { return panel_.estimate[i] + 2 * side * panel_.estimate_error[i]; }
  double across(double value) const {
    return x_ + panel_width * (value - panel_.x.front()) / (panel_.x.back() - panel_.x.front());
  }
  double down(double value) const { return y_ + panel_height * (highest_ - value) / (highest_ - lowest_); }

  std::string line(const std::vector<double>& values) const {
    std::string path;
    for (std::size_t i = 0; i < values.size(); ++i)
      path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", across(panel_.x[i]), down(values[i]));
    return path;
  }

  std::string band() const {
    std::string path;
    for (std::size_t i = 0; i < panel_.x.size(); ++i)
      path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", across(panel_.x[i]), down(edge(i, 1)));
    for (std::size_t i = panel_.x.size(); i-- > 0;)
      path += fmt::format("L{:.1f} {:.1f}", across(panel_.x[i]), down(edge(i, -1)));
    return path;
  }

  const CurvePanel& panel_;
  double x_, y_;
  double lowest_ = 0, highest_ = 0;
};

}  // namespace

std::string curves_svg(const std::string& title, const std::string& estimate, const std::vector<CurvePanel>& panels) {
  const double width = cell_width * static_cast<double>(std::max<std::size_t>(panels.size(), 1));
  const double height = head + cell_height;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "role=\"img\">\n<title>{2}</title>\n",
      width, height, svg_escaped(title));
  svg += svg_style(colours, colours_in_the_dark);
  svg += fmt::format("<rect class=\"ground\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", width, height);
  svg += fmt::format(
      "<path class=\"exact\" d=\"M{0:.1f} 18h22\"/><text x=\"{1:.1f}\" y=\"22\">exact</text>\n<path class=\"estimate\" "
      "d=\"M{2:.1f} 18h22\"/><text x=\"{3:.1f}\" y=\"22\">{4}, ± 2 standard errors</text>\n",
      left, left + 28, left + 76, left + 104, svg_escaped(estimate));
  for (std::size_t i = 0; i < panels.size(); ++i)
    svg += Panel(panels[i], left + cell_width * static_cast<double>(i), head + above).drawn();
  return svg + "</svg>\n";
}

}  // namespace gfdt::report

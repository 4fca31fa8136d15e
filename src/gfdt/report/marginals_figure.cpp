#include "gfdt/report/marginals_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/report/round_ticks.hpp"
#include "gfdt/report/svg.hpp"

namespace gfdt::report {
namespace {

using certificate::Marginal;
using certificate::Verdict;

// Pixels.
constexpr double panel_width = 260, panel_height = 150;
constexpr double left = 58, right = 14, above = 48, below = 42;
constexpr double cell_width = left + panel_width + right, cell_height = above + panel_height + below;
constexpr double head = 34;

constexpr const char* colours = R"(.data { fill: #9db9d6; stroke: none; }
.langevin { fill: none; stroke: #c2410c; stroke-width: 1.8; stroke-linejoin: round; }
.passed { fill: #15803d; } .failed { fill: #b91c1c; } .unresolved { fill: #a16207; }
)";
constexpr const char* colours_in_the_dark = R"(.data { fill: #42658a; } .langevin { stroke: #fb923c; }
.passed { fill: #4ade80; } .failed { fill: #f87171; } .unresolved { fill: #facc15; }
)";

const char* style_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::failed:
      return "failed";
    default:
      return "unresolved";
  }
}

/// A panel with its upper left corner of the plot at (x, y).
class Panel {
 public:
  Panel(const Marginal& marginal, double x, double y) : marginal_(marginal), x_(x), y_(y) {
    for (const std::vector<double>* density : {&marginal.data, &marginal.langevin})
      for (double value : *density) highest_ = std::max(highest_, value);
    highest_ = highest_ > 0 ? 1.06 * highest_ : 1;
  }

  std::string drawn() const {
    const double bottom = y_ + panel_height;
    std::string svg = "<g>\n";
    for (double tick : round_ticks(0, highest_, 6))
      svg += fmt::format(
          "<path class=\"grid\" d=\"M{:.1f} {:.1f}h{:.1f}\"/><text class=\"tick\" text-anchor=\"end\" x=\"{:.1f}\" "
          "y=\"{:.1f}\">{:g}</text>\n",
          x_, down(tick), panel_width, x_ - 6, down(tick) + 4, tick);
    svg += fmt::format("<path class=\"data\" d=\"{}V{:.1f}H{:.1f}Z\"/>\n", steps(marginal_.data), bottom, x_);
    svg += fmt::format("<path class=\"langevin\" d=\"{}\"/>\n", centres(marginal_.langevin));
    svg += fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>\n", x_, bottom, panel_width);
    for (double tick : round_ticks(marginal_.edges.front(), marginal_.edges.back(), 7))
      svg += fmt::format(
          "<path class=\"axis\" d=\"M{0:.1f} {1:.1f}v4\"/><text class=\"tick\" text-anchor=\"middle\" x=\"{0:.1f}\" "
          "y=\"{2:.1f}\">{3:g}</text>\n",
          across(tick), bottom, bottom + 16, tick);
    svg += fmt::format("<text text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x_ + panel_width / 2,
                       bottom + 32, svg_escaped(marginal_.name));
    svg += fmt::format(
        "<text x=\"{0:.1f}\" y=\"{1:.1f}\"><tspan class=\"title\">{2}</tspan><tspan dx=\"8\" class=\"title "
        "{3}\">{4}</tspan></text>\n<text class=\"tick\" x=\"{0:.1f}\" y=\"{5:.1f}\">distance {6:.3f}, noise "
        "{7:.3f}</text>\n",
        x_, y_ - 26, svg_escaped(marginal_.name), style_of(marginal_.verdict), certificate::name(marginal_.verdict),
        y_ - 10, marginal_.distance, marginal_.noise);
    svg +=
        fmt::format("<text text-anchor=\"middle\" transform=\"translate({:.1f} {:.1f}) rotate(-90)\">density</text>\n",
                    x_ - 40, y_ + panel_height / 2);
    return svg + "</g>\n";
  }

 private:
  double across(double value) const {
    return x_ + panel_width * (value - marginal_.edges.front()) / (marginal_.edges.back() - marginal_.edges.front());
  }
  double down(double density) const { return y_ + panel_height * (1 - density / highest_); }

  std::string steps(const std::vector<double>& density) const {
    std::string path = fmt::format("M{:.1f} {:.1f}", x_, y_ + panel_height);
    for (std::size_t i = 0; i < density.size(); ++i)
      path += fmt::format("V{:.1f}H{:.1f}", down(density[i]), across(marginal_.edges[i + 1]));
    return path;
  }

  std::string centres(const std::vector<double>& density) const {
    std::string path;
    for (std::size_t i = 0; i < density.size(); ++i)
      path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L",
                          across((marginal_.edges[i] + marginal_.edges[i + 1]) / 2), down(density[i]));
    return path;
  }

  const Marginal& marginal_;
  double x_, y_;
  double highest_ = 0;
};

std::string legend(std::size_t shown, std::size_t all) {
  std::string text = fmt::format(
      "<rect class=\"data\" x=\"{0:.1f}\" y=\"12\" width=\"18\" height=\"12\"/><text x=\"{1:.1f}\" "
      "y=\"22\">data</text>\n"
      "<path class=\"langevin\" d=\"M{2:.1f} 18h18\"/><text x=\"{3:.1f}\" y=\"22\">Langevin chains of the "
      "score</text>\n",
      left, left + 24, left + 64, left + 88);
  if (shown < all)
    text += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"22\">the {} of {} marginals farthest apart</text>\n",
                        left + 280, shown, all);
  return text;
}

}  // namespace

std::vector<const Marginal*> shown_marginals(const std::vector<Marginal>& marginals) {
  std::vector<const Marginal*> shown;
  for (const Marginal& marginal : marginals) shown.push_back(&marginal);
  if (shown.size() <= most_panels) return shown;
  std::ranges::stable_sort(shown, std::ranges::greater{}, &Marginal::distance);
  shown.resize(most_panels);
  std::ranges::sort(shown);
  return shown;
}

std::string marginals_svg(const std::vector<Marginal>& marginals) {
  const std::vector<const Marginal*> shown = shown_marginals(marginals);
  const std::size_t columns = shown.size() <= 4 ? std::clamp<std::size_t>(shown.size(), 1, 2) : 3;
  const std::size_t rows = (shown.size() + columns - 1) / columns;
  const double width = cell_width * static_cast<double>(columns);
  const double height = head + cell_height * static_cast<double>(rows);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "role=\"img\">\n<title>Marginal densities of the data and of Langevin chains of the score</title>\n",
      width, height);
  svg += svg_style(colours, colours_in_the_dark);
  svg += fmt::format("<rect class=\"ground\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", width, height);
  svg += legend(shown.size(), marginals.size());
  for (std::size_t i = 0; i < shown.size(); ++i)
    svg += Panel(*shown[i], left + cell_width * static_cast<double>(i % columns),
                 head + above + cell_height * static_cast<double>(i / columns))
               .drawn();
  return svg + "</svg>\n";
}

}  // namespace gfdt::report

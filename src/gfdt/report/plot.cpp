#include "gfdt/report/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gfdt::report {
namespace {

constexpr std::size_t longest_text = 48;  // characters
constexpr std::size_t colours = 8;        // of the style sheet

Json texts(const std::vector<std::string>& words) {
  Json list = Json::array();
  for (const std::string& text : words) list.push_back(text);
  return list;
}

}  // namespace

std::string plot_text(const std::string& text) {
  std::size_t characters = 0, end = 0;
  for (; end < text.size(); ++end)
    if ((static_cast<unsigned char>(text[end]) & 0xC0) != 0x80 && ++characters > longest_text) break;
  std::string result;
  for (const char c : text.substr(0, end))
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return result + (end < text.size() ? "…" : "");
}

std::string curve_colour(std::size_t n) { return fmt::format("c{}", n % colours); }

Json plot_number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json plot_numbers(const Values& values) {
  Json list = Json::array();
  for (double value : values) list.push_back(plot_number(value));
  return list;
}

Json line_trace(const Values& x, const Values& y, const Stroke& stroke, const std::vector<std::string>& words) {
  Json trace{{"type", "scatter"},
             {"mode", stroke.points ? "lines+markers" : "lines"},
             {"x", plot_numbers(x)},
             {"y", plot_numbers(y)},
             {"line", {{"color", "@" + stroke.colour}, {"width", stroke.width}}},
             {"legendgroup", stroke.group}};
  if (!stroke.dash.empty()) trace["line"]["dash"] = stroke.dash;
  if (!stroke.shape.empty()) trace["line"]["shape"] = stroke.shape;
  if (stroke.points) trace["marker"] = {{"size", 7}, {"color", "@" + stroke.colour}};
  if (!words.empty()) {
    trace["text"] = texts(words);
    trace["hovertemplate"] = "%{text}<extra></extra>";
  } else {
    trace["hovertemplate"] = "%{x:.4g}: %{y:.4g}<extra></extra>";
  }
  return trace;
}

Json band_trace(const Values& x, const Values& low, const Values& high, const Stroke& stroke, double opacity) {
  Values around, edge;
  const std::size_t size = std::min({x.size(), low.size(), high.size()});
  for (std::size_t i = 0; i < size; ++i)
    if (std::isfinite(high[i]) && std::isfinite(low[i])) {
      around.push_back(x[i]);
      edge.push_back(high[i]);
    }
  for (std::size_t i = size; i-- > 0;)
    if (std::isfinite(high[i]) && std::isfinite(low[i])) {
      around.push_back(x[i]);
      edge.push_back(low[i]);
    }
  return {{"type", "scatter"},
          {"mode", "lines"},
          {"x", plot_numbers(around)},
          {"y", plot_numbers(edge)},
          {"fill", "toself"},
          {"fillcolor", fmt::format("@{}/{}", stroke.colour, opacity)},
          {"line", {{"width", 0}, {"color", "@" + stroke.colour}}},
          {"hoverinfo", "skip"},
          {"legendgroup", stroke.group}};
}

Json error_bars(Json trace, const Values& error, char along) {
  trace[along == 'x' ? "error_x" : "error_y"] = {
      {"type", "data"}, {"array", plot_numbers(error)}, {"thickness", 1.6}, {"width", 4}};
  return trace;
}

Json axes(const std::string& across, const std::string& up, const std::string& title) {
  Json layout{{"xaxis", {{"title", {{"text", plot_text(across)}}}}}, {"yaxis", {{"title", {{"text", plot_text(up)}}}}}};
  if (!title.empty()) layout["title"] = {{"text", plot_text(title)}};
  return layout;
}

void make_logarithmic(Panel& panel) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const Json& trace : panel.traces)
    for (const Json& height : trace["y"]) {
      if (!height.is_number() || !(height.get<double>() > 0)) continue;
      least = std::min(least, height.get<double>());
      most = std::max(most, height.get<double>());
    }
  constexpr double decades = 1e3;
  Json& axis = panel.layout["yaxis"];
  axis["type"] = "log";
  if (most > decades * least) {
    axis["dtick"] = 1;
    axis["exponentformat"] = "power";
  } else {
    axis["dtick"] = "D2";
    axis["tickformat"] = "~g";
  }
}

Values inner_ticks(double low, double high) {
  constexpr double margin = 0.05, most = 5;  // shares of the axis; steps
  const double from = low + margin * (high - low), to = high - margin * (high - low);
  if (!(to > from) || !std::isfinite(to - from)) return {};
  const double power = std::pow(10, std::floor(std::log10((to - from) / most)));
  double step = 10 * power;
  for (const double multiple : {5.0, 2.5, 2.0, 1.0})
    if ((to - from) / (multiple * power) <= most) step = multiple * power;
  Values ticks;
  for (double k = std::ceil(from / step); k * step <= to; ++k) ticks.push_back(k * step);
  if (ticks.empty()) ticks.push_back(step / 10 * std::round((from + to) / 2 / (step / 10)));
  return ticks;
}

void add_level(Json& layout, double y, const std::string& colour, const std::string& dash) {
  layout["shapes"].push_back({{"type", "line"},
                              {"xref", "paper"},
                              {"x0", 0},
                              {"x1", 1},
                              {"y0", y},
                              {"y1", y},
                              {"layer", "below"},
                              {"line", {{"color", "@" + colour}, {"width", 1.5}, {"dash", dash}}}});
}

void add_segment(Json& layout, double from, double to, const std::string& colour) {
  layout["shapes"].push_back({{"type", "rect"},
                              {"yref", "paper"},
                              {"x0", from},
                              {"x1", to},
                              {"y0", 0},
                              {"y1", 1},
                              {"layer", "below"},
                              {"fillcolor", "@" + colour + "/0.13"},
                              {"line", {{"width", 0}}}});
}

}  // namespace gfdt::report

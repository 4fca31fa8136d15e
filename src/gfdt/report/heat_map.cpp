#include "gfdt/report/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/report/plot.hpp"

namespace gfdt::report {
namespace {

Json labels(const std::vector<std::string>& names) {
  Json list = Json::array();
  for (const std::string& name : names) list.push_back(plot_text(name));
  return list;
}

}  // namespace

int heat_map_height(std::size_t rows) { return static_cast<int>(std::min<std::size_t>(120 + 42 * rows, 900)); }

Panel heat_map(const HeatMap& map) {
  Json colour = Json::array(), places = Json::array(), down = Json::array();
  for (const std::vector<double>& row : map.colour) colour.push_back(plot_numbers(row));
  // Positions, not names: two rows may have the same.
  for (std::size_t j = 0; j < map.columns.size(); ++j) places.push_back(j);
  for (std::size_t i = 0; i < map.rows.size(); ++i) down.push_back(i);
  Panel panel;
  panel.traces.push_back({{"type", "heatmap"},
                          {"z", colour},
                          {"zmin", -1},
                          {"zmax", 1},
                          {"colorscale", {{0, "@low"}, {0.5, "@ground"}, {1, "@high"}}},
                          {"showscale", false},
                          {"xgap", 2},
                          {"ygap", 2},
                          {"text", map.text},
                          {"texttemplate", "%{text}"},
                          {"textfont", {{"size", 12}}},
                          {"customdata", map.hover.empty() ? map.text : map.hover},
                          {"hovertemplate", "%{customdata}<extra></extra>"}});
  constexpr std::size_t most_with_text = 12;  // columns; the pointer tells the numbers of more
  if (map.columns.size() > most_with_text)
    for (const char* key : {"texttemplate", "xgap", "ygap"}) panel.traces.back().erase(key);
  panel.layout = axes("", "", map.title);
  for (const auto& [axis, names, where] : {std::tuple("xaxis", &map.columns, &places), {"yaxis", &map.rows, &down}}) {
    panel.layout[axis]["tickvals"] = *where;
    panel.layout[axis]["ticktext"] = labels(*names);
    panel.layout[axis]["showgrid"] = false;
    panel.layout[axis]["zeroline"] = false;
    panel.layout[axis]["showline"] = false;
    panel.layout[axis]["ticks"] = "";
  }
  panel.layout["yaxis"]["autorange"] = "reversed";
  return panel;
}

}  // namespace gfdt::report

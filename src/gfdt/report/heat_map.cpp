#include "gfdt/report/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/report/plot.hpp"

namespace gfdt::report {
namespace {

/// Of more rows or columns only every second, third, … is labelled.
constexpr std::size_t most_labels = 40;

Json labels(const std::vector<std::string>& names) {
  Json list = Json::array();
  const std::size_t step = (names.size() + most_labels - 1) / most_labels;
  for (std::size_t i = 0; i < names.size(); i += step) list.push_back(plot_text(names[i]));
  return list;
}

}  // namespace

int heat_map_height(std::size_t rows) {
  constexpr std::size_t spacious = 12;
  return static_cast<int>(std::min<std::size_t>(120 + (rows > spacious ? 20 : 42) * rows, 900));
}

Panel heat_map(const HeatMap& map) {
  Json colour = Json::array(), places = Json::array(), down = Json::array();
  for (const std::vector<double>& row : map.colour) colour.push_back(plot_numbers(row));
  // Positions, not names: two rows may have the same.
  const auto step = [](std::size_t count) { return (count + most_labels - 1) / most_labels; };
  for (std::size_t j = 0; j < map.columns.size(); j += step(map.columns.size())) places.push_back(j);
  for (std::size_t i = 0; i < map.rows.size(); i += step(map.rows.size())) down.push_back(i);
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
  constexpr std::size_t most_with_text = 12;  // columns; of more, the numbers are under the pointer
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

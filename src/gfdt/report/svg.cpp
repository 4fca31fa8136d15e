#include "gfdt/report/svg.hpp"

namespace gfdt::report {

std::string svg_escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return result;
}

std::string svg_style(const std::string& own, const std::string& own_in_the_dark) {
  return R"(<style>
text { font: 12px system-ui, "Helvetica Neue", Arial, sans-serif; fill: #333; }
.ground { fill: #fff; } .title { font-weight: 600; font-size: 13px; } .tick { font-size: 11px; fill: #666; }
.axis { stroke: #999; fill: none; } .grid { stroke: #e4e4e4; fill: none; }
)" + own +
         R"(@media (prefers-color-scheme: dark) {
text { fill: #ddd; } .ground { fill: #16181c; } .tick { fill: #9a9a9a; } .axis { stroke: #777; }
.grid { stroke: #2c3036; }
)" + own_in_the_dark +
         "}\n</style>\n";
}

}  // namespace gfdt::report

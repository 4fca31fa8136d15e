#include "mismatch_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "styled_text.hpp"

namespace gfdt::app {
namespace {

constexpr int rows = 6, parts = 8;  // of a row, in block characters
constexpr std::size_t label_width = 9, noise_width = 6;
constexpr std::size_t most_wide = 16;  // as many steps have bars two columns wide, with a column between

bool drawable(const ChartStep& step) { return std::isfinite(step.mismatch) && step.mismatch > 0; }

/// At most `most` steps, each the worst of a group of neighbours.
std::vector<ChartStep> thinned(const std::vector<ChartStep>& steps, std::size_t most) {
  const std::size_t together = (steps.size() + most - 1) / most;
  std::vector<ChartStep> result;
  for (std::size_t i = 0; i < steps.size(); i += together) {
    const auto end = steps.begin() + static_cast<std::ptrdiff_t>(std::min(i + together, steps.size()));
    result.push_back(*std::max_element(steps.begin() + static_cast<std::ptrdiff_t>(i), end, [](auto& a, auto& b) {
      return (drawable(a) ? a.mismatch : 0) < (drawable(b) ? b.mismatch : 0);
    }));
  }
  return result;
}

/// Heights in parts of a row: the lowest value has one part, the highest all rows.
class Scale {
 public:
  Scale(double lowest, double highest) : lowest_(std::log(lowest)), highest_(std::log(highest)) {}
  int height(double value) const {
    if (highest_ - lowest_ < 1e-9) return rows * parts / 2;
    const double share = (std::log(value) - lowest_) / (highest_ - lowest_);
    return 1 + static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * (rows * parts - 1)));
  }

 private:
  double lowest_, highest_;
};

/// The part of a bar that is visible in a row, counted from the bottom.
const char* cell(int height, int row, bool unicode) {
  static constexpr const char* blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const int filled = std::clamp(height - row * parts, 0, parts);
  if (unicode) return blocks[filled];
  return filled == 0 ? " " : filled > parts / 2 ? "#" : ".";
}

std::string repeated(const char* text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace

std::vector<std::string> mismatch_chart(const std::vector<ChartStep>& steps, double noise, bool unicode,
                                        std::size_t columns) {
  const std::size_t frame = 2 + label_width + 2 + noise_width;
  const std::size_t room = columns > frame + most_wide ? columns - frame : columns > 0 ? most_wide : 100;
  const std::vector<ChartStep> shown = thinned(steps, room);
  if (std::ranges::count_if(shown, drawable) < 2) return {};
  const std::size_t bar = shown.size() <= most_wide && room >= 3 * most_wide ? 2 : 1, between = bar - 1;
  const bool has_noise = std::isfinite(noise) && noise > 0;
  double lowest = has_noise ? noise : INFINITY, highest = has_noise ? noise : 0;
  for (const ChartStep& step : shown)
    if (drawable(step)) lowest = std::min(lowest, step.mismatch), highest = std::max(highest, step.mismatch);
  const Scale scale(lowest, highest);
  const int noise_row = has_noise ? (scale.height(noise) - 1) / parts : -1;

  std::vector<std::string> lines;
  for (int row = rows - 1; row >= 0; --row) {
    const bool labelled = row == rows - 1 || row == 0;
    std::string line = fmt::format("  {:>{}} {}", labelled ? fmt::format("{:.3g}", row == 0 ? lowest : highest) : "",
                                   label_width, unicode ? "┤" : "|");
    const char* empty = row != noise_row ? " " : unicode ? "┄" : "-";
    const auto background = [&](std::size_t times) {
      const std::string text = repeated(empty, times);
      return row == noise_row ? styled(Style::dim, text) : text;
    };
    for (const ChartStep& step : shown) {
      const char* seen = drawable(step) ? cell(scale.height(step.mismatch), row, unicode) : " ";
      const std::string text = repeated(seen, bar);
      line += (seen[0] == ' '  ? background(bar)
               : step.accepted ? text
                               : styled(Style::dim, text)) +
              background(between);
    }
    if (row == noise_row) line += background(1) + styled(Style::dim, " noise");
    while (line.ends_with(' ')) line.pop_back();
    lines.push_back(line);
  }
  const std::size_t span = shown.size() * (bar + between) - between;
  const std::string last = fmt::format("{}", steps.size() - 1);
  lines.push_back(std::string(2 + label_width + 2, ' ') + "0" +
                  std::string(span > 1 + last.size() ? span - 1 - last.size() : 1, ' ') + last);
  return lines;
}

}  // namespace gfdt::app

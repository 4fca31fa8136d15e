#include "gfdt/data/time_grid.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

namespace gfdt::data {
namespace {

/// Removes a number of `count` digits from the front of a text; returns nothing if there are fewer digits.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
  int value = 0;
  if (text.size() < count) return std::nullopt;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + count, value);
  if (problem != std::errc() || stop != text.data() + count || text[0] == '-') return std::nullopt;
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, char expected) {
  if (text.empty() || text[0] != expected) return false;
  text.remove_prefix(1);
  return true;
}

/// Fraction of a day for a time such as 06:00, 06:00:00 or 06:00:00.5.
std::optional<double> part_of_day(std::string_view text) {
  if (text.ends_with('Z')) text.remove_suffix(1);
  const std::optional<int> hour = take_digits(text, 2);
  if (!hour || *hour > 24 || !take(text, ':')) return std::nullopt;
  const std::optional<int> minute = take_digits(text, 2);
  if (!minute || *minute > 59) return std::nullopt;
  double second = 0;
  if (take(text, ':')) {
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), second);
    if (problem != std::errc() || !(second >= 0 && second < 61)) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  }
  if (!text.empty()) return std::nullopt;
  return (*hour + (*minute + second / 60) / 60) / 24;
}

}  // namespace

std::optional<double> days_of_date(std::string_view text) {
  const std::optional<int> year = take_digits(text, 4);
  if (!year || !take(text, '-')) return std::nullopt;
  const std::optional<int> month = take_digits(text, 2);
  if (!month) return std::nullopt;
  int day = 1;
  if (take(text, '-')) {
    const std::optional<int> given = take_digits(text, 2);
    if (!given) return std::nullopt;
    day = *given;
  } else if (!text.empty()) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date(std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return std::nullopt;
  const double days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  if (text.empty()) return days;
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  const std::optional<double> part = part_of_day(text);
  return part ? std::optional(days + *part) : std::nullopt;
}

TimeGrid time_grid(std::span<const double> times) {
  constexpr double tolerance = 0.2;
  constexpr double longest_gap = 1000;  // relative to the number of rows present
  TimeGrid grid;
  if (times.empty()) return grid;
  std::vector<double> steps;
  for (std::size_t i = 1; i < times.size(); ++i) {
    steps.push_back(times[i] - times[i - 1]);
    if (!(steps.back() > 0)) return {{}, i};
  }
  // Most steps may be gaps and a few may be too short: the lower quartile is assumed to be a single interval.
  double interval = 0;
  if (!steps.empty()) {
    std::vector<double> sorted = steps;
    const auto quarter = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 4);
    std::ranges::nth_element(sorted, quarter);
    double total = 0, count = 0;
    for (double step : steps)
      if (std::abs(step - *quarter) <= tolerance * *quarter) {
        total += step;
        ++count;
      }
    interval = total / count;
  }
  grid.row.push_back(0);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double intervals = std::round(steps[i] / interval);
    const double off = std::abs(steps[i] - intervals * interval);
    // The length of a long gap may be uncertain by more than a row, in particular with calendar months.
    const double allowed = tolerance * std::max(1.0, intervals / 20);
    if (intervals < 1 || off > allowed * interval || intervals > longest_gap * static_cast<double>(times.size()))
      return {{}, i + 1};
    grid.row.push_back(grid.row.back() + static_cast<std::size_t>(intervals));
  }
  return grid;
}

}  // namespace gfdt::data

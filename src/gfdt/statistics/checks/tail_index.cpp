#include "gfdt/statistics/checks/tail_index.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace gfdt::statistics {
namespace {

constexpr std::size_t samples_per_extreme = 200;
constexpr std::size_t fewest_extremes = 25;

}  // namespace

TailIndex tail_index(std::vector<double> samples) {
  const std::size_t extremes = samples.size() / samples_per_extreme;
  if (extremes < fewest_extremes) return {};
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::ranges::nth_element(samples, middle);
  const double median = *middle;
  for (double& value : samples) value = std::abs(value - median);
  const auto threshold = samples.begin() + static_cast<std::ptrdiff_t>(extremes);
  std::ranges::nth_element(samples, threshold, std::greater<>());
  if (!(*threshold > 0)) return {};
  double first = 0, second = 0;  // moments of log(y/threshold)
  for (auto value = samples.begin(); value != threshold; ++value) {
    const double excess = std::log(*value / *threshold);
    first += excess / static_cast<double>(extremes);
    second += excess * excess / static_cast<double>(extremes);
  }
  if (!(second > 0) || !(first * first < second)) return {};
  const double index = first + 1 - 0.5 / (1 - first * first / second);
  const double positive = std::max(index, 0.0);
  return {index, std::sqrt((1 + positive * positive) / static_cast<double>(extremes))};
}

}  // namespace gfdt::statistics

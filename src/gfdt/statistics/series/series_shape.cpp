#include "gfdt/statistics/series/series_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace gfdt::statistics {
namespace {

struct Centre {
  double mean = 0;
  double variance = 0;
  double count = 0;
};

Centre centre_of(std::span<const double> values) {
  Centre result;
  for (const double value : values)
    if (!std::isnan(value)) {
      result.mean += value;
      ++result.count;
    }
  result.mean /= std::max(result.count, 1.0);
  for (const double value : values)
    if (!std::isnan(value)) result.variance += (value - result.mean) * (value - result.mean);
  result.variance /= std::max(result.count, 1.0);
  return result;
}

}  // namespace

double sorted_quantile(std::span<const double> sorted, double p) {
  const auto n = static_cast<double>(sorted.size());
  const double place = std::clamp((n + 1) * p, 1.0, n) - 1;
  const auto below = static_cast<std::size_t>(place);
  const double part = place - static_cast<double>(below);
  return part > 0 ? sorted[below] + part * (sorted[below + 1] - sorted[below]) : sorted[below];
}

double kernel_bandwidth(std::span<const double> values) {
  std::vector<double> present;
  std::ranges::copy_if(values, std::back_inserter(present), [](double value) { return !std::isnan(value); });
  if (present.size() < 2) return 0;
  std::ranges::sort(present);
  const double quartiles = sorted_quantile(present, 0.75) - sorted_quantile(present, 0.25);
  double spread = std::sqrt(centre_of(present).variance);
  if (quartiles > 0) spread = std::min(spread, quartiles / 1.349);
  return 0.9 * spread * std::pow(static_cast<double>(present.size()), -0.2);
}

std::vector<double> kernel_density(std::span<const double> values, double low, double high, std::size_t points,
                                   double bandwidth) {
  constexpr double reach = 5;  // half width of a kernel, in bandwidths
  const double begin = low - reach * bandwidth, width = bandwidth / 4;
  std::vector<double> bins(static_cast<std::size_t>((high - low + 2 * reach * bandwidth) / width) + 2);
  double count = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    ++count;
    const double place = (value - begin) / width;
    if (!(place >= 0 && place < static_cast<double>(bins.size() - 1))) continue;
    const auto bin = static_cast<std::size_t>(place);
    const double part = place - static_cast<double>(bin);
    bins[bin] += 1 - part;
    bins[bin + 1] += part;
  }
  std::vector<double> density(points);
  const double scale = 1 / (std::max(count, 1.0) * bandwidth * std::sqrt(2 * std::numbers::pi));
  for (std::size_t i = 0; i < points; ++i) {
    const double at = low + (high - low) * static_cast<double>(i) / static_cast<double>(points - 1);
    const double first = std::max(0.0, (at - reach * bandwidth - begin) / width);
    const auto end = std::min(bins.size(), static_cast<std::size_t>((at + reach * bandwidth - begin) / width) + 1);
    for (auto bin = static_cast<std::size_t>(first); bin < end; ++bin) {
      const double distance = (begin + width * static_cast<double>(bin) - at) / bandwidth;
      density[i] += bins[bin] * std::exp(-0.5 * distance * distance);
    }
    density[i] *= scale;
  }
  return density;
}

std::vector<double> autocorrelation(std::span<const double> series, std::span<const std::size_t> lags) {
  const Centre centre = centre_of(series);
  std::vector<double> result;
  for (const std::size_t lag : lags) {
    double sum = 0, pairs = 0;
    for (std::size_t row = lag; row < series.size(); ++row) {
      const double product = (series[row] - centre.mean) * (series[row - lag] - centre.mean);
      if (std::isnan(product)) continue;
      sum += product;
      ++pairs;
    }
    if (pairs == 0)
      result.push_back(std::numeric_limits<double>::quiet_NaN());
    else
      result.push_back(centre.variance > 0 ? sum / pairs / centre.variance : 0);
  }
  return result;
}

}  // namespace gfdt::statistics

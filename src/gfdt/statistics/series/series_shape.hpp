#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gfdt::statistics {

/// The p-quantile of values in increasing order, at position (n + 1) p, limited to the range of the values. A further
/// value from the same distribution lies below it with probability p, if there are enough values.
double sorted_quantile(std::span<const double> sorted, double p);

/// Silverman's bandwidth of Gaussian kernels, 0.9 min(s, interquartile range/1.349) n^−⅕; NaN are ignored. 0 if the
/// values do not vary.
double kernel_bandwidth(std::span<const double> values);

/// Kernel density estimate with Gaussian kernels, at `points` equidistant positions from `low` to `high`. Values are
/// first distributed to bins of a quarter of a bandwidth, so that the cost hardly depends on their number. NaN are
/// ignored.
std::vector<double> kernel_density(std::span<const double> values, double low, double high, std::size_t points,
                                   double bandwidth);

/// C(k)/C(0) at lags in rows, from all pairs of values that are present (not NaN), minus the overall mean; 0 if the
/// series does not vary, NaN if there is no pair.
std::vector<double> autocorrelation(std::span<const double> series, std::span<const std::size_t> lags);

}  // namespace gfdt::statistics

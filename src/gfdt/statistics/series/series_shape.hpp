#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gfdt::statistics {

/// The p-quantile of values in increasing order, at the place (n + 1) p among them and never beyond the outermost: a
/// further value of the same law lies below it with probability p, as far as there are values enough.
double sorted_quantile(std::span<const double> sorted, double p);

/// Silverman's width of Gaussian kernels, 0.9 min(s, quartiles' distance/1.349) n^−⅕; NaN are passed over. 0 where the
/// values do not vary.
double kernel_bandwidth(std::span<const double> values);

/// The density of values as a mean of Gaussian kernels, at `points` places at equal distances from `low` to `high`.
/// Values are shared out over bins a quarter of a kernel wide first, so that the cost hardly grows with their number.
/// NaN are passed over.
std::vector<double> kernel_density(std::span<const double> values, double low, double high, std::size_t points,
                                   double bandwidth);

/// C(k)/C(0) at lags in rows, from all pairs of values that are present (not NaN) less the mean of all; 0 where nothing
/// varies, NaN where there is no pair.
std::vector<double> autocorrelation(std::span<const double> series, std::span<const std::size_t> lags);

}  // namespace gfdt::statistics

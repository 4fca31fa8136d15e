#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gfdt/statistics/series_sums.hpp"

namespace gfdt::statistics {

/// What an average was before a control variate took noise off it.
struct PlainAverage {
  double mean = 0;
  double standard_error = 0;
};

/// A long-run average of a quantity A, with what is known of its error.
struct Average {
  std::string name;
  double mean = 0;
  double standard_error = 0;        ///< of the mean; NaN when there is but one value
  double degrees_of_freedom = 0;    ///< of the standard error
  double standard_deviation = 0;    ///< of A itself
  double autocorrelation_time = 0;  ///< τ = ∫₀^∞ C(t)/C(0) dt, so that the variance of the mean is 2τ var(A)/T
  bool autocorrelation_resolved = true;    ///< whether the members are long enough to tell τ
  double effective_samples = 0;            ///< var(A) / standard_error²
  std::optional<PlainAverage> plain = {};  ///< where the mean is that of a control variate

  /// Half the width of the interval that holds the true mean with this probability.
  double half_width(double coverage) const;
};

/// From independent members of equal length; the error comes from their spread. With fewer than `fewest_members` it
/// comes from averages over parts of the time much longer than τ.
Average average(const std::string& name, std::span<const MemberSums> members, double sample_interval,
                std::uint64_t group);

/// Covariance of the errors of means, [row][column]: correlations from averages over independent units,
/// [quantity][unit], scaled to the standard errors of `averages`. Units with a value that is not finite are passed
/// over.
std::vector<double> covariance_of_means(std::span<const Average> averages,
                                        const std::vector<std::vector<double>>& units);

inline constexpr std::size_t fewest_members = 8;

}  // namespace gfdt::statistics

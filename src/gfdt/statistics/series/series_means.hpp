#pragma once

#include <cstddef>
#include <vector>

namespace gfdt::statistics {

/// The autocorrelation time of a series with missing values, in rows.
struct SeriesMemory {
  double autocorrelation_time = 0.5;  ///< τ = ½ + Σ ρ(k); the mean of n rows has the variance 2τ var/n
  double longest = 0.5;               ///< the largest partial sum, which exceeds τ if correlations change sign
  bool resolved = true;               ///< whether the series is long enough for the estimate
};

/// Computed from all pairs of values that are present. The sum ends at the first lag beyond six times its largest value
/// so far (Sokal's window). `series` has NaN for missing values.
SeriesMemory series_memory(const std::vector<double>& series);

/// Means of quantities measured at the same evenly spaced times, and the covariance of their errors.
///
/// Rows are divided into equal segments that are long compared with the autocorrelation times of all series. A segment
/// b with the share w_b of the values that are present has the mean m_b, and
///
///     m = Σ w_b m_b        var(m) ≈ Σ w_b² (m_b − m)² / (1 − Σ w_b²) / (1 − shortfall)
///
/// where the shortfall is the relative reduction of the variance of a segment mean by correlations across the ends of
/// the segment, for correlations that decay as a single exponential. The correlations between the errors of two means
/// are those of w_b (m_b − m) over shorter and more numerous segments: with few segments, the small eigenvalues of the
/// matrix would be left to chance. The matrix is positive semi-definite by construction.
struct SeriesMeans {
  /// A record must span at least this many of its longest autocorrelation times. In a shorter record the
  /// autocorrelation time is often underestimated, and so are the errors. Measured on autoregressive series and their
  /// squares, 95 % intervals contain the true value in 92 to 96 % of records of 80 τ or more. Of records of 40 τ half
  /// are rejected, and the intervals of the others contain it in 86 to 91 %; of records of 20 τ one in ten is accepted.
  static constexpr double fewest_memories = 35;

  std::vector<double> mean;        ///< of the values that are present; NaN if there are none
  std::vector<double> covariance;  ///< of the errors, [row][column]; zero for a series that never varies
  double degrees_of_freedom = 0;   ///< of the covariance: 1/Σ w_b² − 1, the smallest over all series
  std::vector<SeriesMemory> memory;
  std::vector<double> change;    ///< difference between the means over the last and the first third of the time
  std::vector<double> p_change;  ///< p-value of `change` for a stationary series
  std::size_t segments = 0;
  bool long_enough = false;  ///< whether the record spans `fewest_memories`, so that the errors can be used
};

/// All `series` must have the same length, with NaN for missing values.
SeriesMeans series_means(const std::vector<std::vector<double>>& series);

}  // namespace gfdt::statistics

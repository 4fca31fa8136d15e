#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gfdt/statistics/checks/tail_index.hpp"
#include "gfdt/statistics/series/series_sums.hpp"

namespace gfdt::statistics {

/// An average before a control variate reduced its variance.
struct PlainAverage {
  double mean = 0;
  double standard_error = 0;
};

/// How far the members of a run have forgotten where they began, as one quantity shows it.
enum class Mixing {
  mixed,      ///< a member spans at least `memories_of_mixed` autocorrelation times
  slow,       ///< fewer, or the members are short and their burn-in is long
  not_mixed,  ///< fewer than `memories_of_slow`: averages reflect where the members began
};

/// A long-run average of a quantity A, with its standard error.
struct Average {
  std::string name;
  double mean = 0;
  double standard_error = 0;        ///< of the mean; NaN when there is but one value
  double sampling_error = 0;        ///< the part of it that is the spread over independent parts of the run
  double degrees_of_freedom = 0;    ///< of the standard error
  double standard_deviation = 0;    ///< of A itself
  double autocorrelation_time = 0;  ///< τ = ∫₀^∞ C(t)/C(0) dt, so that the variance of the mean is 2τ var(A)/T
  bool autocorrelation_resolved = true;    ///< whether the members are long enough to tell τ
  double effective_samples = 0;            ///< var(A) / standard_error²
  std::optional<PlainAverage> plain = {};  ///< where the mean is that of a control variate
  /// B/V, the variance of the members' means over that of A, beyond that of independent samples; NaN with fewer than
  /// `fewest_members`.
  double between_share = std::numeric_limits<double>::quiet_NaN();
  /// Whether the members' means differ by more than the variation within members explains.
  bool members_disagree = false;
  Mixing mixing = Mixing::mixed;
  bool never_varied = false;  ///< although the formula depends on the state
  /// Independent events, where A is a condition: how often it became true, or false where that is rarer.
  std::optional<double> events = {};
  /// How the distribution of A decays, where that was estimated and A is not bounded.
  std::optional<TailIndex> tail = {};

  bool has_no_mean() const { return tail && tail->has_no_mean(); }
  /// Whether the run supports this average, and derivatives of it.
  bool usable() const { return mixing != Mixing::not_mixed && !never_varied && !has_no_mean(); }

  /// Half the width of the interval that holds the true mean with this probability.
  double half_width(double coverage) const;
};

/// From independent members of equal length; the error comes from their spread. With fewer than `fewest_members` it
/// comes from averages over parts of the time much longer than τ.
Average average(const std::string& name, std::span<const MemberSums> members, double sample_interval,
                std::uint64_t group);

/// Covariance of the errors of averages, [row][column]: the Gram matrix of `influences`, [quantity][unit], which are
/// the contributions of independent units to the deviation of an average. A standard error beyond the root of the sum
/// of squares of its influences is taken to be independent of all others; influences beyond it are scaled down. The
/// matrix is positive semi-definite by construction.
std::vector<double> covariance_of_influences(const std::vector<std::vector<double>>& influences,
                                             std::span<const double> standard_errors);

/// The same for means: influences are averages over independent units, [quantity][unit], centred and scaled to the
/// standard errors of `averages`. Units with a value that is not finite are left out.
std::vector<double> covariance_of_means(std::span<const Average> averages,
                                        const std::vector<std::vector<double>>& units);

/// Undoes the replacement of an average by that of a control variate. Its error is taken to be independent of those of
/// the others. Does nothing where it was not replaced.
void restore_plain(std::vector<Average>& averages, std::vector<double>& covariance, std::size_t which);

/// Degrees of freedom of a variance that is estimated from independent values: n − 1 for normal values, fewer where a
/// few of them dominate. With the kurtosis κ of n values, var(s²) ≈ s⁴ (κ − 1)/n, which is that of 2n/(κ − 1) normal
/// values.
double effective_degrees_of_freedom(std::span<const double> values);

/// The factor by which a standard error with so many degrees of freedom is widened where it is used as that of a normal
/// distribution: the ratio of the half widths of 95 % intervals.
double heavy_tail_factor(double degrees_of_freedom);

/// The inverse of B/V = 2r (1 − r (1 − e^{−1/r})): the ratio r = τ/T for averages over the time T of a quantity whose
/// correlation decays as e^{−t/τ}. At most `longest_memory_ratio`, since B/V tends to 1.
double memory_ratio(double between_share);

inline constexpr std::size_t fewest_members = 8;
inline constexpr double memories_of_mixed = 20, memories_of_slow = 5;
inline constexpr double longest_memory_ratio = 10;

}  // namespace gfdt::statistics

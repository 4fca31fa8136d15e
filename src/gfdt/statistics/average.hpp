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

/// How far the members of a run have forgotten their initial states, judged by one quantity.
enum class Mixing {
  mixed,      ///< a member spans at least `memories_of_mixed` autocorrelation times
  slow,       ///< fewer, or the members are short compared with a long burn-in
  not_mixed,  ///< fewer than `memories_of_slow`: averages depend on the initial states of the members
};

/// A long-run average of a quantity A, with its standard error.
struct Average {
  std::string name;
  double mean = 0;
  double standard_error = 0;      ///< of the mean; NaN if there is only one value
  double sampling_error = 0;      ///< the part of it due to the spread over independent parts of the run
  double degrees_of_freedom = 0;  ///< of the standard error
  double standard_deviation = 0;  ///< of A itself
  double autocorrelation_time = 0;  ///< τ = ∫₀^∞ C(t)/C(0) dt, in time units; the variance of the mean is 2τ var(A)/T
  bool autocorrelation_resolved = true;    ///< whether the members are long enough to estimate τ
  double effective_samples = 0;            ///< var(A) / standard_error²
  std::optional<PlainAverage> plain = {};  ///< present if a control variate replaced the mean
  /// B/V, the ratio of the variance of the members' means to that of A, in excess of that of independent samples; NaN
  /// with fewer than `fewest_members` members.
  double between_share = std::numeric_limits<double>::quiet_NaN();
  /// Whether the members' means differ by more than the variation within members explains.
  bool members_disagree = false;
  Mixing mixing = Mixing::mixed;
  bool never_varied = false;  ///< true if A was constant although its formula depends on the state
  /// Number of independent events, if A is a condition: how often it became true, or false if that is rarer.
  std::optional<double> events = {};
  /// The decay of the distribution of A, if it was estimated and A is not bounded.
  std::optional<TailIndex> tail = {};

  bool has_no_mean() const { return tail && tail->has_no_mean(); }
  /// Whether the run supports this average and its derivatives.
  bool usable() const { return mixing != Mixing::not_mixed && !never_varied && !has_no_mean(); }

  /// Half the width of the interval that contains the true mean with this probability.
  double half_width(double coverage) const;
};

/// The average over independent members of equal length, with a standard error from the spread of the members. With
/// fewer than `fewest_members` members, it comes from averages over parts of the time that are much longer than τ.
Average average(const std::string& name, std::span<const MemberSums> members, double sample_interval,
                std::uint64_t group);

/// Covariance of the errors of averages, [row][column]: the Gram matrix of `influences`, [quantity][unit], which are
/// the contributions of independent units to the deviation of an average. The excess of a standard error over the root
/// of the sum of squares of its influences is treated as independent of all other errors; if the influences exceed the
/// standard error, they are scaled down. The matrix is positive semi-definite by construction.
std::vector<double> covariance_of_influences(const std::vector<std::vector<double>>& influences,
                                             std::span<const double> standard_errors);

/// The same for means: the influences are averages over independent units, [quantity][unit], centred and scaled to the
/// standard errors of `averages`. Units with a value that is not finite are left out.
std::vector<double> covariance_of_means(std::span<const Average> averages,
                                        const std::vector<std::vector<double>>& units);

/// Reverts an average to its value without the control variate. Its error is then treated as independent of the others.
/// Does nothing if the average was not replaced.
void restore_plain(std::vector<Average>& averages, std::vector<double>& covariance, std::size_t which);

/// Degrees of freedom of a variance that is estimated from independent values: n − 1 for normal values, fewer if a few
/// values dominate. With the kurtosis κ of n values, var(s²) ≈ s⁴ (κ − 1)/n, which equals that of 2n/(κ − 1) normal
/// values.
double effective_degrees_of_freedom(std::span<const double> values);

/// The factor by which a standard error with these degrees of freedom is widened if it is used as that of a normal
/// distribution: the ratio of the half widths of 95 % intervals.
double heavy_tail_factor(double degrees_of_freedom);

/// The inverse of B/V = 2r (1 − r (1 − e^{−1/r})): the ratio r = τ/T for averages over the time T of a quantity whose
/// correlation decays as e^{−t/τ}. At most `longest_memory_ratio`, because B/V tends to 1.
double memory_ratio(double between_share);

inline constexpr std::size_t fewest_members = 8;
inline constexpr double memories_of_mixed = 20, memories_of_slow = 5;
inline constexpr double longest_memory_ratio = 10;

}  // namespace gfdt::statistics

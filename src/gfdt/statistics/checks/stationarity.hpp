#pragma once

#include <span>
#include <string>
#include <vector>

#include "gfdt/statistics/series/series_sums.hpp"

namespace gfdt::statistics {

/// How one quantity moved between the first and the last third of the time.
struct Drift {
  std::string name;
  double change = 0;
  double standard_error = 0;
  bool judged = false;   ///< whether there were enough samples to tell
  double p_value = 1;    ///< probability of so large a change in a stationary run
  bool relevant = true;  ///< whether the change is large enough to matter, whatever its probability
  double transient = 0;  ///< share of the time until the average over members no longer differs from that at the end
};

/// Whether averages drift. A run of a stationary model is called non-stationary with probability `false_alarm` at most,
/// over all quantities together (Bonferroni). Fewer than `fewest_members` members are judged by parts of their time,
/// which must be long against the autocorrelation time τ: measured, alarms are 1.6 times as frequent with members of
/// 200 τ, 4 times with 70 τ.
struct Stationarity {
  static constexpr double false_alarm = 1e-3;
  /// A change of less than this share of the standard deviation does not matter, nor one of less than that share of the
  /// mean. Standard errors include it.
  static constexpr double irrelevant_deviations = 0.01, irrelevant_share = 1e-6;
  bool stationary = true;
  bool judged = false;        ///< whether the run was long enough to tell
  std::vector<Drift> drifts;  ///< most significant first

  /// Whether a change is more than chance.
  bool significant(const Drift& drift) const {
    return drift.p_value < false_alarm / static_cast<double>(drifts.size());
  }
};

/// A change of up to `slack` is none. `deviation`: the standard deviation of the quantity.
Drift drift(const std::string& name, std::span<const MemberSums> members, double slack = 0, double deviation = 0);

/// The same for a quantity that is positive and may be spread over orders of magnitude, such as the square of a state
/// that diffuses away: with enough members the test is on the logarithms of their averages, which a few large members
/// cannot drown.
Drift drift_of_positive(const std::string& name, std::span<const MemberSums> members, double slack = 0,
                        double deviation = 0);
Stationarity stationarity(std::vector<Drift> drifts);

}  // namespace gfdt::statistics

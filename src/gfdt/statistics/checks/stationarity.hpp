#pragma once

#include <span>
#include <string>
#include <vector>

#include "gfdt/statistics/series/series_sums.hpp"

namespace gfdt::statistics {

/// Change of one quantity between the first and the last third of the time.
struct Drift {
  std::string name;
  double change = 0;
  double standard_error = 0;
  bool judged = false;   ///< whether there were enough samples for a test
  double p_value = 1;    ///< probability of a change of this magnitude in a stationary run
  bool relevant = true;  ///< whether the change is large enough to matter, whatever its probability
  double transient = 0;  ///< share of the time until the average over members no longer differs from its final value
};

/// Whether averages drift. A run of a stationary model is called non-stationary with probability at most `false_alarm`,
/// over all quantities together (Bonferroni). With fewer than `fewest_members` members, parts of their time are tested;
/// these must be long compared with the autocorrelation time τ. In simulations false alarms are 1.6 times as frequent
/// with members of length 200 τ, and 4 times with 70 τ.
struct Stationarity {
  static constexpr double false_alarm = 1e-3;
  /// Changes below this share of the standard deviation, or below that share of the mean, are irrelevant. Standard
  /// errors include them.
  static constexpr double irrelevant_deviations = 0.01, irrelevant_share = 1e-6;
  bool stationary = true;
  bool judged = false;        ///< whether the run was long enough for a test
  std::vector<Drift> drifts;  ///< most significant first

  /// Whether a change is statistically significant.
  bool significant(const Drift& drift) const {
    return drift.p_value < false_alarm / static_cast<double>(drifts.size());
  }
};

/// A change of up to `slack` is ignored. `deviation`: the standard deviation of the quantity.
Drift drift(const std::string& name, std::span<const MemberSums> members, double slack = 0, double deviation = 0);

/// The same for a positive quantity that may extend over orders of magnitude, such as the square of a state that
/// diffuses away. With enough members the test uses the logarithms of their averages, so that a few large members do
/// not dominate it.
Drift drift_of_positive(const std::string& name, std::span<const MemberSums> members, double slack = 0,
                        double deviation = 0);
Stationarity stationarity(std::vector<Drift> drifts);

}  // namespace gfdt::statistics

#pragma once

#include <span>
#include <string>
#include <vector>

#include "gfdt/statistics/series_sums.hpp"

namespace gfdt::statistics {

/// How one quantity moved between the first and the last third of the time.
struct Drift {
  std::string name;
  double change = 0;
  double standard_error = 0;
  double p_value = 1;  ///< probability of so large a change in a stationary run
};

/// Whether averages drift. A run of a stationary model is called non-stationary with probability `false_alarm` at most,
/// over all quantities together (Bonferroni).
struct Stationarity {
  static constexpr double false_alarm = 1e-3;
  bool stationary = true;
  std::vector<Drift> drifts;  ///< most significant first
};

Drift drift(const std::string& name, std::span<const MemberSums> members);
Stationarity stationarity(std::vector<Drift> drifts);

}  // namespace gfdt::statistics

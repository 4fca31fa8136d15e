#pragma once

#include <limits>
#include <string>
#include <vector>

namespace gfdt::calibrate {

/// Values that long-run averages should have, and how far they can be trusted.
struct Targets {
  std::vector<std::string> observables;
  std::vector<double> value;
  std::vector<double> covariance;  ///< of the errors of the values, [row][column]
  /// Of the covariance, where it was estimated.
  double degrees_of_freedom = std::numeric_limits<double>::infinity();
  std::string source = "given";           ///< where they come from, for people
  std::vector<std::string> remarks = {};  ///< what is to be known of them, a sentence each

  std::size_t size() const { return value.size(); }
  double standard_error(std::size_t i) const;

  /// What is wrong with them, as a sentence; empty when nothing is.
  std::string problem() const;
};

}  // namespace gfdt::calibrate

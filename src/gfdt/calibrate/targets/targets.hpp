#pragma once

#include <limits>
#include <string>
#include <vector>

namespace gfdt::calibrate {

/// Target values of long-run averages, and their uncertainty.
struct Targets {
  std::vector<std::string> observables;
  std::vector<double> value;
  std::vector<double> covariance;  ///< covariance of the errors of the values, [row][column]
  /// Of the covariance; infinite if it is known rather than estimated.
  double degrees_of_freedom = std::numeric_limits<double>::infinity();
  std::string source = "given";           ///< origin of the targets, for display
  std::vector<std::string> remarks = {};  ///< one sentence each

  std::size_t size() const { return value.size(); }
  double standard_error(std::size_t i) const;

  /// A sentence that describes the first error in the targets; empty if there is none.
  std::string problem() const;
};

}  // namespace gfdt::calibrate

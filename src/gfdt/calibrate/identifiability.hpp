#pragma once

#include "gfdt/calibrate/linear_model.hpp"

namespace gfdt::calibrate {

/// The Jacobian in relative changes of the parameters and standard deviations of the noise, N^−½ S diag(|θ|), taken
/// apart. Where θ is 0 the change that moves the statistics by one standard deviation of the observables counts as 1.
struct Identifiability {
  std::vector<double> singular_values;  ///< largest first, one a parameter
  std::vector<WeakDirection> weak;      ///< directions that are not known well enough
};

/// A relative standard error above which a direction is named.
inline constexpr double weak_error = 0.5;

Identifiability identifiability(const Problem& problem, const std::vector<double>& at, const LinearModel& model);

}  // namespace gfdt::calibrate

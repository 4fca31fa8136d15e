#pragma once

#include <span>
#include <vector>

#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::statistics {

/// The bias that the time step gives to averages of a run, by a second run with a longer time step.
struct TimeStepBias {
  int ratio = 0;  ///< of the time steps; 0: no longer one is stable
  std::vector<double> value, standard_error;

  /// |bias| without the part that noise makes up on average.
  double size(std::size_t observable) const;
};

/// `averages`: those of the run with `options`. The second run costs a quarter of it.
TimeStepBias time_step_bias(const model::Model& model, const simulate::Options& options,
                            std::span<const Average> averages, const simulate::Control& control);

/// Adds the bias to the standard errors of averages and to the diagonal of their covariance. A control variate removes
/// the bias: averages that have one are left as they are. The finding fails where the bias dominates a standard error.
Finding include(const TimeStepBias& bias, const simulate::Options& options, std::vector<Average>& averages,
                std::vector<double>& covariance);

}  // namespace gfdt::statistics

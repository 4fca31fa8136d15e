#pragma once

#include <span>
#include <string>
#include <vector>

#include "gfdt/statistics/ensemble_statistics.hpp"
#include "gfdt/statistics/observed_functions.hpp"

namespace gfdt::statistics {

/// The time-step bias of the averages of a run, estimated from a second run with a longer time step.
struct TimeStepBias {
  bool compared = false;   ///< whether some average may have such a bias
  bool too_short = false;  ///< whether a run with a longer time step would have too few samples
  int ratio = 0;           ///< ratio of the time steps; 0 if no longer step is stable
  std::vector<double> value, standard_error;

  /// Threshold in standard errors that noise exceeds for one of a dozen averages with probability below 1e-3.
  static constexpr double visible = 4.2;

  /// |bias| minus the average contribution of noise; 0 if the bias is below `noticeable` standard errors.
  double size(std::size_t observable, double noticeable) const;
};

/// `averages`: those of the run with `options`. The second run costs a quarter of that run; averages with a control
/// variate use a separate run with fewer samples. `functions` give the values of observables, and `residuals` those of
/// A + L u for averages with a control variate, which removes the bias to the extent that A + L u is constant. Averages
/// with a control variate that are not among the residuals are assigned no bias.
TimeStepBias time_step_bias(const symbolic::Model& model, const simulate::Options& options,
                            std::span<const Average> averages, const ObservedFunctions& functions,
                            const ObservedFunctions& residuals, const simulate::Control& control);

/// A sentence that describes how to reduce the bias.
std::string advice_on_time_step(const simulate::Options& options);

/// Adds biases above one standard error to the standard errors of averages and to the diagonal of their covariance. The
/// diagnostic fails if the bias dominates a standard error.
Diagnostic include(const TimeStepBias& bias, const simulate::Options& options, std::vector<Average>& averages,
                   std::vector<double>& covariance);

}  // namespace gfdt::statistics

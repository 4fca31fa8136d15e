#pragma once

#include <span>
#include <string>
#include <vector>

#include "gfdt/statistics/ensemble_statistics.hpp"
#include "gfdt/statistics/observed_functions.hpp"

namespace gfdt::statistics {

/// The bias that the time step gives to averages of a run, by a second run with a longer time step.
struct TimeStepBias {
  bool compared = false;   ///< whether there is an average that may have such a bias
  bool too_short = false;  ///< a run with a longer time step has too few samples
  int ratio = 0;           ///< of the time steps; 0: no longer one is stable
  std::vector<double> value, standard_error;

  /// Standard errors that chance moves one of a dozen averages by with a probability below 1e-3.
  static constexpr double visible = 4.2;

  /// |bias| without the part that noise makes up on average; 0 where it is below `noticeable` standard errors.
  double size(std::size_t observable, double noticeable) const;
};

/// `averages`: those of the run with `options`. The second run costs a quarter of it; that of averages with a control
/// variate is another one, with fewer samples. `functions` give the values of
/// observables, and `residuals` those of A + L u for averages with a control variate, which removes the bias as far as
/// A + L u is constant. Averages with a control variate that is not among them have no bias.
TimeStepBias time_step_bias(const symbolic::Model& model, const simulate::Options& options,
                            std::span<const Average> averages, const ObservedFunctions& functions,
                            const ObservedFunctions& residuals, const simulate::Control& control);

/// What reduces the bias, as a sentence.
std::string advice_on_time_step(const simulate::Options& options);

/// Adds biases above one standard error to the standard errors of averages and to the diagonal of their covariance. The
/// diagnostic fails where the bias dominates a standard error.
Diagnostic include(const TimeStepBias& bias, const simulate::Options& options, std::vector<Average>& averages,
                   std::vector<double>& covariance);

}  // namespace gfdt::statistics

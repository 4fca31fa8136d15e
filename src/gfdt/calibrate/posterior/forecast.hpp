#pragma once

#include "gfdt/calibrate/calibration.hpp"

namespace gfdt::calibrate {

/// Prediction of the cost and the accuracy of a calibration, from one evaluation at the guess.
struct Forecast {
  Iteration guess;                              ///< with the first step and its predicted effect
  Posterior posterior;                          ///< the predicted uncertainty of the answer
  int evaluations = 0;                          ///< of Jacobians, if each step reduces the mismatch to a fifth
  double simulated_time = 0, wall_seconds = 0;  ///< of all evaluations
  std::string problem;                          ///< the reason why there is no forecast; empty if there is one
};

/// Makes one evaluation, of the length of the first run of a calibration; at full length if that cannot be used. Throws
/// Error if the problem or the options are invalid.
Forecast forecast(const Problem& problem, const Options& options, Evaluator& evaluator,
                  const simulate::Control& control = {});

}  // namespace gfdt::calibrate

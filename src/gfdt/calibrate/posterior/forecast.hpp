#pragma once

#include "gfdt/calibrate/calibration.hpp"

namespace gfdt::calibrate {

/// What one evaluation at the guess says of a calibration that has not been made.
struct Forecast {
  Iteration guess;                              ///< with the step that would be taken from it and what it should change
  Posterior posterior;                          ///< the errors that the answer will have, as far as the guess can tell
  int evaluations = 0;                          ///< of Jacobians, if each step leaves a fifth of the mismatch
  double simulated_time = 0, wall_seconds = 0;  ///< of them all
  std::string problem;                          ///< why there is none; empty when there is
};

/// One evaluation, of the length that the first would have.
Forecast forecast(const Problem& problem, const Options& options, Evaluator& evaluator,
                  const simulate::Control& control = {});

}  // namespace gfdt::calibrate

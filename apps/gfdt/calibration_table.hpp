#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "calibration_advice.hpp"
#include "gfdt/calibrate/calibration.hpp"
#include "gfdt/calibrate/posterior/forecast.hpp"

namespace gfdt::app {

/// What is to be found from what.
void print_question(std::FILE* file, const calibrate::Problem& problem);

/// A table with a line for each iteration, as they come.
class IterationLines {
 public:
  IterationLines(std::FILE* file, const calibrate::Problem& problem);
  void show(const calibrate::Calibration& so_far);

 private:
  std::FILE* file_;
  const calibrate::Problem& problem_;
  std::vector<std::size_t> widths_;  ///< of the parameters that there is room for
  std::size_t shown_ = 0;
};

/// How it ended, in a sentence or two; where the targets were missed, which of them by most.
std::string verdict(const calibrate::Calibration& calibration, const calibrate::Problem& problem);

/// The mismatch by steps, how it ended and what to do about it, parameters with their errors, statistics beside their
/// targets, what cannot be told, and the cost. `as_requested`: whether it ended as requested.
void print_calibration(std::FILE* file, const calibrate::Calibration& calibration, const calibrate::Problem& problem,
                       const calibrate::Options& options, bool as_requested, Simulator simulator = Simulator::gfdt);

struct NamedCalibration {
  std::string name;
  calibrate::Calibration calibration;
};

/// Several methods side by side.
void print_comparison(std::FILE* file, const std::vector<NamedCalibration>& calibrations,
                      const calibrate::Problem& problem);

void print_forecast(std::FILE* file, const calibrate::Forecast& forecast, const calibrate::Problem& problem);

}  // namespace gfdt::app

#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "calibration_advice.hpp"
#include "gfdt/calibrate/calibration.hpp"
#include "gfdt/calibrate/posterior/forecast.hpp"

namespace gfdt::app {

/// Prints the parameters to be found and the targets.
void print_question(std::FILE* file, const calibrate::Problem& problem);

/// A table with a line for each iteration, as they come.
class IterationLines {
 public:
  IterationLines(std::FILE* file, const calibrate::Problem& problem);
  void show(const calibrate::Calibration& so_far);

 private:
  std::FILE* file_;
  const calibrate::Problem& problem_;
  std::vector<std::size_t> widths_;  ///< of the parameters that fit on a line
  std::size_t shown_ = 0;
};

/// Describes how the search ended in one or two sentences, with the largest deviations if targets were missed.
std::string verdict(const calibrate::Calibration& calibration, const calibrate::Problem& problem);

/// Prints the mismatch by step, the outcome and advice, parameters with standard errors, statistics with their targets,
/// limitations, and the cost. `as_requested`: whether the search ended as requested.
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

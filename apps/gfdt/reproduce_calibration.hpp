#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace gfdt::app {

/// `gfdt reproduce NAME --calibrate`.
struct CalibrationReproduction {
  CommonOptions common;
  std::string experiment;
  bool paper_scale = false;
  bool paper_settings = false;
  bool resume = false;
  std::vector<std::string> compare;
};

/// Runs the calibration of an experiment with several methods and prints them side by side.
int reproduce_calibration(const CalibrationReproduction& command);

}  // namespace gfdt::app

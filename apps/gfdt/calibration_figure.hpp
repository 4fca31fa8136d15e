#pragma once

#include <string>
#include <vector>

#include "calibration_table.hpp"

namespace gfdt::app {

/// The way of each method to its answer, as a figure. Steps that were taken back are left out.
std::string convergence_figure(const std::vector<NamedCalibration>& calibrations, const calibrate::Problem& problem);

}  // namespace gfdt::app

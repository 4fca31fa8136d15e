#pragma once

#include <string>

#include "gfdt/calibrate/calibration.hpp"

namespace gfdt::app {

/// The program that simulates the model.
enum class Simulator { gfdt, of_user };

/// Settings to change after a calibration that did not reach its targets; empty after one that did.
std::string advice(const calibrate::Calibration& calibration, const calibrate::Problem& problem,
                   const calibrate::Options& options, Simulator simulator = Simulator::gfdt);

/// The target with the largest deviation, in standard deviations; empty if none is known.
std::optional<std::size_t> furthest_off(const calibrate::Mismatch& mismatch);

}  // namespace gfdt::app

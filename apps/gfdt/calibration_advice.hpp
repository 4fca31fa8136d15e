#pragma once

#include <string>

#include "gfdt/calibrate/calibration.hpp"

namespace gfdt::app {

/// What ran the model.
enum class Simulator { gfdt, of_user };

/// What to set, and to what, after a calibration that did not come to its targets; empty after one that did.
std::string advice(const calibrate::Calibration& calibration, const calibrate::Problem& problem,
                   const calibrate::Options& options, Simulator simulator = Simulator::gfdt);

/// The target that the statistics are furthest from, in standard deviations; none where nothing is known.
std::optional<std::size_t> furthest_off(const calibrate::Mismatch& mismatch);

}  // namespace gfdt::app

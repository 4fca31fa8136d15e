#pragma once

#include <set>
#include <string>

#include "gfdt/calibrate/targets/targets.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::calibrate {

/// Why no distribution has these averages, as a sentence; empty when that cannot be seen from the formulas. An average
/// lies in the range of its observable, and that of a square is no less than the square of the average:
/// <A²> ≥ <A>², up to four standard errors. `free` parameters may take any value.
std::string impossible_target(const symbolic::Model& model, const Targets& targets, const std::set<std::string>& free);

}  // namespace gfdt::calibrate

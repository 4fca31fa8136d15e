#pragma once

#include <set>
#include <string>

#include "gfdt/calibrate/targets/targets.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::calibrate {

/// A sentence on why no distribution has these averages; empty if the formulas do not show this. An average must lie in
/// the range of its observable, and the average of a square is no less than the square of the average: <A²> ≥ <A>², up
/// to four standard errors. `free` parameters may have any value.
std::string impossible_target(const symbolic::Model& model, const Targets& targets, const std::set<std::string>& free);

}  // namespace gfdt::calibrate

#pragma once

#include <optional>
#include <vector>

#include "gfdt/calibrate/free_parameter.hpp"
#include "gfdt/calibrate/record.hpp"
#include "gfdt/calibrate/targets/targets.hpp"
#include "gfdt/problem/problem.hpp"
#include "gfdt/simulate/ensemble.hpp"

namespace gfdt::problem {

/// The targets with values of their own; empty when there are none.
calibrate::Targets given_targets(const TargetTable& table);

/// The same, and those that the problem's data tell.
calibrate::Targets given_and_measured_targets(const Problem& problem);

/// What was measured, as the problem's data tell it; nothing without data. Throws Error when the file cannot be used.
std::optional<calibrate::Record> measured_record(const Problem& problem);

/// All targets of a problem, in the order of its observables: given, computed from data, or from a reference run, which
/// is made. Errors of given values are independent of those of the others. Throws Error when a file or a run cannot be
/// used, or when there are no targets.
calibrate::Targets resolve_targets(const Problem& problem, const simulate::Control& control = {});

/// The parameters to calibrate, with their bounds and priors. Throws InputError at one that cannot be.
std::vector<calibrate::FreeParameter> free_parameters(const Problem& problem);

}  // namespace gfdt::problem

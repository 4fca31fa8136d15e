#pragma once

#include <optional>
#include <vector>

#include "gfdt/calibrate/free_parameter.hpp"
#include "gfdt/calibrate/record.hpp"
#include "gfdt/calibrate/targets/targets.hpp"
#include "gfdt/problem/problem.hpp"
#include "gfdt/simulate/ensemble.hpp"

namespace gfdt::problem {

/// The targets with explicit values; empty if there are none.
calibrate::Targets given_targets(const TargetTable& table);

/// The targets with explicit values and those from the data of the problem. Throws Error if the file cannot be used.
calibrate::Targets given_and_measured_targets(const Problem& problem);

/// The record in the data file of the problem; nothing if there is no data file. Throws Error if the file cannot be
/// used.
std::optional<calibrate::Record> measured_record(const Problem& problem);

/// All targets of a problem, in the order of its observables: given, computed from data, or from a reference run, which
/// this function simulates. Errors of given values are independent of those of the others. Throws Error if a file or a
/// run cannot be used, or if there are no targets.
calibrate::Targets resolve_targets(const Problem& problem, const simulate::Control& control = {});

/// The parameters to calibrate, with their bounds and priors. Throws InputError for a parameter whose definition is
/// invalid.
std::vector<calibrate::FreeParameter> free_parameters(const Problem& problem);

}  // namespace gfdt::problem

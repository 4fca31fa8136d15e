#pragma once

#include <set>
#include <string>

#include "gfdt/calibrate/record.hpp"
#include "gfdt/calibrate/targets/targets.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::calibrate {

/// Targets from a record: the mean of each observable over the rows in which all its inputs were measured, and the
/// covariance of the errors of these means, which accounts for the autocorrelation of the record. Observables that
/// cannot be computed from the record are left out with a remark, those in `given` without one. Throws Error if no
/// observable remains or if the record is too short to estimate the errors.
Targets data_targets(const symbolic::Model& model, const Record& record, const std::set<std::string>& given = {});

}  // namespace gfdt::calibrate

#pragma once

#include <set>
#include <string>

#include "gfdt/calibrate/record.hpp"
#include "gfdt/calibrate/targets/targets.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::calibrate {

/// The means of the model's observables over the rows in which all that an observable needs was measured, and the
/// covariance of the errors of these means, with the record's autocorrelation taken into account. Observables that the
/// record does not tell are left out with a remark, those in `given` without. Throws Error when none is left, or when
/// the record is too short to tell the errors.
Targets data_targets(const symbolic::Model& model, const Record& record, const std::set<std::string>& given = {});

}  // namespace gfdt::calibrate

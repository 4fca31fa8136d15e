#pragma once

#include "gfdt/poisson/control_variate.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::poisson {

/// Replaces the plain averages of a run by controlled ones with smaller standard errors. The covariance of all averages
/// is that of their influences over the groups of samples: controlled ones where the average is controlled, plain ones,
/// scaled to the standard error of the run, elsewhere. Errors beyond the spread over groups are independent.
void adopt(const ControlVariate& fit, statistics::EnsembleStatistics& run);

}  // namespace gfdt::poisson

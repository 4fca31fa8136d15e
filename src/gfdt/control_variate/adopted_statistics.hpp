#pragma once

#include <optional>

#include "gfdt/control_variate/control_variate.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
#include "gfdt/symbolic/expression/range.hpp"

namespace gfdt::control_variate {

/// The first observable whose average of A + L u contradicts the plain average; nothing if there is none. If the
/// members have mixed, the two differ only by noise and by the time-step bias, which is a small share of the standard
/// deviation of A. A larger difference shows that <L u> is not zero for this u.
std::optional<std::size_t> contradiction(const ControlVariate& fit, const statistics::EnsembleStatistics& run);

/// Replaces the plain averages of a run by averages with a control variate that have smaller standard errors. An
/// average outside the range of its observable is rejected, and so is one whose mean may not exist, because <L u> = 0
/// requires a mean of u. An average without a mean gets an infinite standard error. The covariance of all averages is
/// computed from their influences over the groups of samples; influences of plain averages are scaled to the standard
/// error of the run. Error contributions beyond the spread over groups are treated as independent.
void adopt(const ControlVariate& fit, const std::vector<symbolic::Interval>& ranges,
           statistics::EnsembleStatistics& run);

}  // namespace gfdt::control_variate

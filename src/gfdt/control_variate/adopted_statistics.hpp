#pragma once

#include <optional>

#include "gfdt/control_variate/control_variate.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
#include "gfdt/symbolic/expression/range.hpp"

namespace gfdt::control_variate {

/// The first observable whose average A + L u contradicts the plain one; nothing where none does. Where members have
/// mixed, the two differ by noise and by the bias of the time step, which is a small share of the standard deviation of
/// A. A larger difference shows that <L u> is not zero for this u.
std::optional<std::size_t> contradiction(const ControlVariate& fit, const statistics::EnsembleStatistics& run);

/// Replaces the plain averages of a run by controlled ones with smaller standard errors. One outside the range of its
/// observable is rejected, and so is one whose mean may not exist: <L u> = 0 needs a mean of u. An average that has
/// none gets an infinite standard error. The covariance of all averages is that of their influences over the groups of
/// samples: controlled ones where the average is controlled, plain ones, scaled to the standard error of the run,
/// elsewhere. Errors beyond the spread over groups are independent.
void adopt(const ControlVariate& fit, const std::vector<symbolic::Interval>& ranges,
           statistics::EnsembleStatistics& run);

}  // namespace gfdt::control_variate

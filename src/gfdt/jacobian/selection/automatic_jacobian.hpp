#pragma once

#include "gfdt/jacobian/selection/controlled_jacobian.hpp"

namespace gfdt::jacobian {

/// Estimates every column by the most suitable method. The leading terms of a control variate are a by-product of the
/// statistics; columns for which they are accurate enough are finished. For the others, pilot runs estimate the error
/// of each method for its simulated time; the best method is run at full length for these columns only.
/// `Column::remark` describes the choice and the reason. With `response.accuracy` runs are extended, up to a limit,
/// until all columns reach it; otherwise a diagnostic gives the required length.
///
/// Cost is measured in simulated time, not wall time, so that the same seed gives the same choices on every machine.
GfdtJacobian automatic_jacobian(const GfdtProblem& problem, const simulate::Control& control = {});

/// Whether options with an automatic method nevertheless request the correlation integral, by a score method or a
/// window.
bool asks_for_score(const Options& response, score::Method score);

}  // namespace gfdt::jacobian

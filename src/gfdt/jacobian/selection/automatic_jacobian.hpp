#pragma once

#include "gfdt/jacobian/selection/controlled_jacobian.hpp"

namespace gfdt::jacobian {

/// Every column by the method that suits it. The leading terms of a control variate come with the statistics; columns
/// that they give well enough are done. For the others, short pilot runs tell what error each method has for the time
/// it simulates; the best is run at full length, for its columns only. `Column::remark` says what was chosen and why.
/// With `response.accuracy` runs are made longer, within reason, until all columns have it; else a finding says what it
/// would take.
///
/// Simulated time is the cost, not that by the clock: the same seed makes the same choices on any machine.
GfdtJacobian automatic_jacobian(const GfdtProblem& problem, const simulate::Control& control = {});

/// Whether options that leave the method open ask for the correlation integral all the same: by a method of scores, or
/// a window.
bool asks_for_score(const Options& response, score::Method score);

}  // namespace gfdt::jacobian

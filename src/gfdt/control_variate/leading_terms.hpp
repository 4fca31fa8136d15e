#pragma once

#include "gfdt/control_variate/fit/solutions.hpp"

namespace gfdt::control_variate {

/// <P u> of all entries, [observable][parameter], P = J·∇ + ½M:∇∇, made less noisy by a second fit. `changes` are the
/// operators P, none where a change has no formula: such entries are NaN. Entries of an observable that is not `solved`
/// have an infinite bias, but for parameters that change nothing.
///
/// The bias has two parts: of the remainder, predicted from what the last functions changed and from the change of the
/// density that they do not show (density_change.hpp); and of the noise in the fitted coefficients, from the
/// spread over parts of the samples.
std::vector<Averaged> leading_terms(const Solutions& solutions, const std::vector<std::optional<Operator>>& changes,
                                    const std::vector<bool>& solved);

}  // namespace gfdt::control_variate

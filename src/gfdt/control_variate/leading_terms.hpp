#pragma once

#include "gfdt/control_variate/fit/solutions.hpp"

namespace gfdt::control_variate {

/// <P u> of all entries, [observable][parameter], P = J·∇ + ½M:∇∇, with the variance reduced by a second fit. `changes`
/// are the operators P; an entry without one is NaN. Entries of an observable that is not `solved` have an infinite
/// bias, except for parameters without effect on drift and noise.
///
/// The bias has two parts. The remainder is predicted from the change by the last functions and from the unresolved
/// change of the density (density_change.hpp). The effect of noise in the fitted coefficients is estimated from the
/// spread over parts of the samples.
std::vector<Averaged> leading_terms(const Solutions& solutions, const std::vector<std::optional<Operator>>& changes,
                                    const std::vector<bool>& solved);

}  // namespace gfdt::control_variate

#pragma once

#include "gfdt/score/estimators/samples.hpp"
#include "gfdt/score/fields/field.hpp"

namespace gfdt::score {

/// The mean of ∇·s over samples.
struct Divergence {
  double mean = 0;
  double standard_error = 0;  ///< from the spread over groups, including probes; infinite with fewer than two
  double probe_error = 0;     ///< the part of it that more probes would remove; 0 if ∇·s is exact
  int probes = 0;             ///< number of probes per state; 0 if ∇·s is exact
};

/// Computed from the diagonal of the Jacobian if the field provides it exactly, otherwise from derivatives along random
/// probes (Hutchinson): ∇·s = <vᵀ(∇s)v>. At least two probes are used, so that their error can be estimated. `threads`
/// 0: all available. Throws Error without samples.
Divergence divergence_of(const Field& field, const Samples& samples, int threads = 0);

}  // namespace gfdt::score

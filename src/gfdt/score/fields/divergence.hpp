#pragma once

#include "gfdt/score/estimators/samples.hpp"
#include "gfdt/score/fields/field.hpp"

namespace gfdt::score {

/// The mean of ∇·s over samples.
struct Divergence {
  double mean = 0;
  double standard_error = 0;  ///< of all causes, from the spread over groups; infinite with fewer than two groups
  double probe_error = 0;     ///< the part of it that more probes would take away; 0 where ∇·s is exact
  int probes = 0;             ///< a state; 0 where ∇·s is exact
};

/// From the diagonal of the Jacobian where the field gives it exactly, else from derivatives along random probes
/// (Hutchinson): ∇·s = <vᵀ(∇s)v>. Two probes at least, so that their error is known. `threads` 0: all there are.
Divergence divergence_of(const Field& field, const Samples& samples, int threads = 0);

}  // namespace gfdt::score

#pragma once

#include <span>

#include "gfdt/score/fields/field.hpp"

namespace gfdt::score {

/// Random signs, v[probe][row][lane]. They are a pure function of the state in the lane (of all its bits) and of the
/// index of the probe, so that estimates made with them are functions of the state, too.
void fill_probes(const double* x, int lanes, int dimension, int probes, double* v);

/// s, and estimates of entries of ∇s from derivatives along probes: ∂s_i/∂x_j ≈ mean over probes of v_j (∇s v)_i (M. F.
/// Hutchinson, 1990). The estimates are unbiased. For fields with too many components for derivatives along unit
/// vectors.
void probed_jacobian(const Field& field, const double* x, int lanes, std::span<const JacobianEntry> entries, int probes,
                     double* s, double* values);

}  // namespace gfdt::score

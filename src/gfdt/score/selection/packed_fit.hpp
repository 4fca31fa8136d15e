#pragma once

#include "gfdt/parallel/parcel.hpp"
#include "gfdt/score/selection/fit_score.hpp"

namespace gfdt::score {

/// Serializes a fit for other ranks. Its score must be a network, with or without a linear correction; throws Error for
/// other scores.
void pack(const ScoreFit& fit, Packer& packer);
ScoreFit unpack_fit(Unpacker& unpacker);

}  // namespace gfdt::score

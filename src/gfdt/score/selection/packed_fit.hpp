#pragma once

#include "gfdt/parallel/parcel.hpp"
#include "gfdt/score/selection/fit_score.hpp"

namespace gfdt::score {

/// A fit whose score is a network's, linearly corrected or not, as bytes for other ranks. Throws Error for other
/// scores.
void pack(const ScoreFit& fit, Packer& packer);
ScoreFit unpack_fit(Unpacker& unpacker);

}  // namespace gfdt::score

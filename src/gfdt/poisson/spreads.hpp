#pragma once

#include "gfdt/poisson/dictionary.hpp"
#include "gfdt/score/samples.hpp"

namespace gfdt::poisson {

/// How coordinates lie at the samples, all sites of a ring together.
std::vector<Spread> spreads_of(const model::Model& model, const std::vector<Coordinate>& coordinates,
                               const score::Samples& samples);

}  // namespace gfdt::poisson

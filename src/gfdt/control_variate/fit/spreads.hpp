#pragma once

#include "gfdt/control_variate/dictionary/dictionary.hpp"
#include "gfdt/score/estimators/samples.hpp"

namespace gfdt::control_variate {

/// Values of formulas per site at some of the samples, [formula][sample and site].
std::vector<std::vector<double>> values_at_samples(const symbolic::Model& model,
                                                   const std::vector<Expression>& formulas,
                                                   const score::Samples& samples);

/// Location and scale of the coordinates at the samples, over all sites of a ring. Throws Error if a coordinate is not
/// finite at a sample.
std::vector<Spread> spreads_of(const symbolic::Model& model, const std::vector<Coordinate>& coordinates,
                               const score::Samples& samples);

}  // namespace gfdt::control_variate

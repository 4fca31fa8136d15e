#pragma once

#include "gfdt/control_variate/dictionary/coordinates.hpp"
#include "gfdt/score/estimators/samples.hpp"

namespace gfdt::control_variate {

/// Removes coordinates that are singular where the model goes: those that contain a logarithm, a negative power, a
/// fractional power below 2 or a tangent of something that comes close to its singularity at the samples.
///
/// <L u> = 0 needs a function u that is twice differentiable. Samples never hit the singularity itself, so that L of
/// √x² looks like L of |x| without the delta function at zero, and its average is not zero.
void remove_singular(std::vector<Coordinate>& coordinates, const symbolic::Model& model, const score::Samples& samples);

}  // namespace gfdt::control_variate

#pragma once

#include "gfdt/control_variate/dictionary/coordinates.hpp"
#include "gfdt/score/estimators/samples.hpp"

namespace gfdt::control_variate {

/// Removes coordinates with a singularity in the region that the model visits: those that contain a logarithm, a
/// negative power, a fractional power below 2 or a tangent whose argument comes close to the singularity at the
/// samples.
///
/// <L u> = 0 requires a twice differentiable u. Samples never hit the singularity itself: L of √x² then looks like L of
/// |x| without the delta function at zero, and its average is not zero.
void remove_singular(std::vector<Coordinate>& coordinates, const symbolic::Model& model, const score::Samples& samples);

}  // namespace gfdt::control_variate

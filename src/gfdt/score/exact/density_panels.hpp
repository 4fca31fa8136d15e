#pragma once

#include "gfdt/score/exact/stationary_density.hpp"

namespace gfdt::score {

/// Divides the line into panels on which s is a polynomial to rounding and log ρ changes little. The panels start near
/// the initial state of the model, where log ρ is set to 0, and extend to several times the distance at which ρ becomes
/// negligible. Throws Error for the same models as StationaryDensity.
std::vector<DensityPanel> density_panels(const symbolic::Model& model);

}  // namespace gfdt::score

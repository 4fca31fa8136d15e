#pragma once

#include "gfdt/score/exact/stationary_density.hpp"

namespace gfdt::score {

/// Cuts the line into panels on which s is a polynomial to rounding and log ρ changes little, from where the model
/// starts outwards to where ρ is negligible and as far again. log ρ is 0 where the model starts. Throws Error as
/// StationaryDensity does.
std::vector<DensityPanel> density_panels(const symbolic::Model& model);

}  // namespace gfdt::score

#pragma once

#include <span>

#include "gfdt/statistics/average.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::jacobian {

/// The change of a parameter that alters the drift or the noise of some state by as much as their own size,
///
///     min over states of rms(F_i)/rms(∂F_i/∂θ) and rms(Σ_i)/rms(∂Σ_i/∂θ),
///
/// at normal random states with the means and mean squares that a run has, `moments`, two per state. Infinite where
/// neither depends on it.
double natural_change(const symbolic::Model& model, const std::string& parameter,
                      std::span<const statistics::Average> moments);

}  // namespace gfdt::jacobian

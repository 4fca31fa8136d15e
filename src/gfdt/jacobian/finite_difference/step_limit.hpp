#pragma once

#include <span>

#include "gfdt/statistics/average.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::jacobian {

/// The natural change of a parameter: the change that alters the drift or the noise of some state by its own magnitude,
///
///     min over states of rms(F_i)/rms(∂F_i/∂θ) and rms(Σ_i)/rms(∂Σ_i/∂θ),
///
/// at normal random states with the means and mean squares `moments` of a run, two per state. Infinite if neither drift
/// nor noise depends on the parameter.
double natural_change(const symbolic::Model& model, const std::string& parameter,
                      std::span<const statistics::Average> moments);

}  // namespace gfdt::jacobian

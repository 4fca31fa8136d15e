#pragma once

#include <vector>

#include "gfdt/score/estimators/gaussian.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::score {

/// dx = (A x + b) dt + Σ dW with constant Σ, at the model's parameters; matrices are [row][column].
struct LinearModel {
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> diffusion;  ///< D = ΣΣᵀ
};

/// Throws Error with the state whose formula is the reason, unless the drift is affine in the states and the noise does
/// not depend on them.
LinearModel linear_model(const symbolic::Model& model);

/// The exact score of such a model: the Gaussian with A C + C Aᵀ + D = 0 and A m + b = 0. Throws Error if the model is
/// not linear or not stable, or if the noise does not reach all states.
GaussianField exact_linear(const symbolic::Model& model);

}  // namespace gfdt::score

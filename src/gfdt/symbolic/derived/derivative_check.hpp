#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::symbolic {

/// How well a derived formula agrees with finite differences of the formula it was derived from, over random states.
struct DerivativeCheck {
  std::string what;          ///< `∂F/∂alpha`
  double largest_error = 0;  ///< |symbolic − difference|, relative to the derivative, or to 1 where that is smaller
  bool agrees() const { return largest_error < tolerance; }
  static constexpr double tolerance = 1e-5;
};

/// Compares J = ∂F/∂θ, ∇·J, K = ∂Σ/∂θ, ∇·M and ∇∇:M of every parameter, as they enter its conjugate, with central
/// differences at `points` random states drawn from the model's initial law. Parameters without a conjugate are left
/// out.
std::vector<DerivativeCheck> check_derivatives(const Model& model, int points = 20, std::uint64_t seed = 1);

}  // namespace gfdt::symbolic

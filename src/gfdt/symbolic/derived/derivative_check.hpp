#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::symbolic {

/// Agreement of a symbolic derivative with finite differences of the original formula at random states.
struct DerivativeCheck {
  std::string what;          ///< name of the derivative, such as `∂F[x]/∂alpha`
  double largest_error = 0;  ///< |symbolic − difference| / max(1, |derivative|)
  bool agrees() const { return largest_error < tolerance; }
  static constexpr double tolerance = 1e-5;
};

/// Compares J = ∂F/∂θ, ∇·J, K = ∂Σ/∂θ, ∇·M and ∇∇:M of every parameter, which enter its conjugate observable, with
/// central differences at `points` random states drawn from the model's initial distribution. Skips parameters without
/// a conjugate observable.
std::vector<DerivativeCheck> check_derivatives(const Model& model, int points = 20, std::uint64_t seed = 1);

}  // namespace gfdt::symbolic

#pragma once

// Derivatives of products of functions of one coordinate each, for `lanes` samples at once. Standard headers are not
// allowed here, because this file is compiled for each instruction set.
namespace gfdt::control_variate {

inline constexpr int lanes = 64;

/// A factor b(y) of a product; each row is [lane].
struct FactorRows {
  const double *value, *slope, *curvature;  ///< b, b′, b″
  const double* applied;                    ///< the operator applied to y
};

/// A product of up to four factors. Couplings [factor][factor] are rows of ∇yᵀN∇z, null if they vanish.
struct ProductRows {
  FactorRows factor[4];
  const double* coupling[4][4];
  int factors;
};

}  // namespace gfdt::control_variate

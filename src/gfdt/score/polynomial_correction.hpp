#pragma once

#include <memory>

#include "gfdt/score/polynomial_field.hpp"
#include "gfdt/score/samples.hpp"

namespace gfdt::score {

/// The exact score has <φ s_i + ∂_iφ> = 0 for every φ. A fitted one is brought to it, on the samples, for all
/// polynomials φ up to a degree, by adding one: ς_i = s_i + Σ_k c_ik φ_k with G c_i = −<φ s_i + ∂_iφ>, G = <φφᵀ>. What
/// is added is the projection of the error of s on these polynomials: no scores are needed to know it. It matters in
/// the tails, which a fit that weights states by their frequency leaves to chance and responses to nonlinear terms
/// look at.
struct PolynomialCorrection {
  std::shared_ptr<const PolynomialField> field;
  double distance = 0;  ///< root mean square of what is added, relative to the score: the largest over the components
};

/// The highest degree whose monomials are at most 40: 6 in one dimension at most, 5 in two, 4 in three, 3 in four.
int correction_degree(int dimension);

/// Throws Error where a number is not finite.
PolynomialCorrection polynomial_correction(std::shared_ptr<const Field> field, const Samples& samples, int degree,
                                           int threads = 0);

}  // namespace gfdt::score

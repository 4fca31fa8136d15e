#pragma once

#include <vector>

#include "gfdt/score/estimators/samples.hpp"
#include "gfdt/score/fields/corrected_field.hpp"

namespace gfdt::score {

/// What the correction may mix.
enum class CorrectionForm {
  automatic,  ///< `circulant` on a ring of up to 128 components, `diagonal` on a larger one, else `full`
  full,       ///< any components
  circulant,  ///< any sites of a ring, the same way at each
  diagonal,   ///< nothing: a factor a component, on a ring a factor a field
};

/// The exact score has −<x sᵀ> = I for centred x. One that has −<x sᵀ> = I − Ξ on the samples is brought to it by
/// ς = s (I − Ξ)⁻¹ for row vectors, ς = W s with W = (I − Ξ)⁻ᵀ for columns: then −<x ςᵀ> = I there. On a ring the
/// average over translations of −<x ςᵀ> is I; with a diagonal correction its diagonal is 1.
struct LinearCorrection {
  std::vector<double> matrix;  ///< W, [row][column]
  double distance = 0;         ///< the largest singular value of Ξ, in units of the components' standard deviations
};

/// Throws Error where the score is too far from the exact one to be corrected: `distance` above `farthest_corrected`,
/// or a number that is not finite.
LinearCorrection linear_correction(const Field& field, const Samples& samples,
                                   CorrectionForm form = CorrectionForm::automatic, int threads = 0);
inline constexpr double farthest_corrected = 0.9;

}  // namespace gfdt::score

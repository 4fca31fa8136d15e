#pragma once

#include <vector>

#include "gfdt/score/estimators/samples.hpp"
#include "gfdt/score/fields/corrected_field.hpp"

namespace gfdt::score {

/// Which components the correction may combine.
enum class CorrectionForm {
  automatic,  ///< `circulant` on a ring of up to 128 components, `diagonal` on a larger ring, otherwise `full`
  full,       ///< all components
  circulant,  ///< all sites of a ring, in the same way at each site
  diagonal,   ///< none: one factor per component, on a ring one factor per field
};

/// The exact score satisfies −<x sᵀ> = I for centred x. A score with −<x sᵀ> = I − Ξ on the samples is corrected by ς =
/// s (I − Ξ)⁻¹ for row vectors, that is, ς = W s with W = (I − Ξ)⁻ᵀ for columns, so that −<x ςᵀ> = I on these samples.
/// On a ring, the average of −<x ςᵀ> over translations is I; with a diagonal correction, its diagonal is 1.
struct LinearCorrection {
  std::vector<double> matrix;  ///< W, [row][column]
  double distance = 0;         ///< largest singular value of Ξ, in units of standard deviations of the components
};

/// Throws Error if the score is too far from the exact one to be corrected: `distance` above `farthest_corrected`, or a
/// number that is not finite.
LinearCorrection linear_correction(const Field& field, const Samples& samples,
                                   CorrectionForm form = CorrectionForm::automatic, int threads = 0);
inline constexpr double farthest_corrected = 0.9;

}  // namespace gfdt::score

#pragma once

#include <string>

#include "gfdt/score/selection/options.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::score {

struct Choice {
  Method method = Method::automatic;
  std::string reason;  ///< one sentence
};

/// Largest number of dimensions for which kgmm is selected automatically.
inline constexpr int most_chosen_for_kgmm = 4;

/// The method that the options select. Automatic selection uses the exact score if it is known, otherwise kgmm up to
/// four dimensions, otherwise patch on a ring, otherwise dsm. Throws Error for options that are invalid or unsuitable
/// for this model, so that the error is reported before a run.
Choice choose(const symbolic::Model& model, const Options& options);

}  // namespace gfdt::score

#pragma once

#include <string>

#include "gfdt/score/selection/options.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::score {

struct Choice {
  Method method = Method::automatic;
  std::string reason;  ///< a sentence
};

/// Dimensions up to which kgmm is chosen.
inline constexpr int most_chosen_for_kgmm = 4;

/// The method that the options stand for: the exact score where the model has one, else kgmm up to four dimensions,
/// else patch on a ring, else dsm. Throws Error for options that make no sense or that this model does not allow, so
/// that they are found out before a run.
Choice choose(const symbolic::Model& model, const Options& options);

}  // namespace gfdt::score

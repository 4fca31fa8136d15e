#pragma once

#include <string>

#include "gfdt/model/model.hpp"
#include "gfdt/scoring/options.hpp"

namespace gfdt::scoring {

struct Choice {
  Method method = Method::automatic;
  std::string reason;  ///< a sentence
};

/// Dimensions up to which kgmm is chosen.
inline constexpr int most_kgmm_dimensions = 4;

/// The method that `wanted` stands for: the exact score where the model has one, else kgmm up to four dimensions, else
/// patch on a ring, else dsm. Throws Error where a method is wanted that this model does not allow.
Choice choose(const model::Model& model, Method wanted);

}  // namespace gfdt::scoring

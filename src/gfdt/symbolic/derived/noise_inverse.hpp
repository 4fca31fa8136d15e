#pragma once

#include <string>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::symbolic {

/// Σ⁺, by which the noise that makes a given change of the states is found: Σ a = v is solved by a = Σ⁺v wherever it
/// can be. States that share noises, directly or through others, are solved for together, in formulas: with as many
/// noises as states Σ⁻¹, with more of them Σᵀ(ΣΣᵀ)⁻¹ (the smallest a), with fewer (ΣᵀΣ)⁻¹Σᵀ.
struct NoiseInverse {
  using Entry = LikelihoodWeights::Inverse;
  /// States that share noises.
  struct Group {
    std::vector<std::size_t> states;
    std::vector<std::size_t> noises;
    std::string unavailable;  ///< why there is no inverse for them, as a clause; empty where there is
  };
  std::vector<Entry> entries;
  std::vector<Group> groups;

  /// More of them, or more of their noises, are not solved for together.
  static constexpr std::size_t largest_group = 4;

  /// Why no noise makes this change of the states, one formula a state, as a clause; empty where there is one. What
  /// fewer noises than states can make is found out at random states.
  std::string obstacle(const Model& model, const std::vector<Expression>& change) const;
};

/// The noise must be that of each site for itself; it must not vanish at random states.
NoiseInverse noise_inverse(const Model& model);

}  // namespace gfdt::symbolic

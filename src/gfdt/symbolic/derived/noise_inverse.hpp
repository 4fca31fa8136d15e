#pragma once

#include <string>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::symbolic {

/// Pseudoinverse Σ⁺: the solution of Σ a = v is a = Σ⁺v if one exists. States that share noises, directly or through
/// other states, are solved together, symbolically: by Σ⁻¹ for as many noises as states, by Σᵀ(ΣΣᵀ)⁻¹ for more noises
/// (the solution of smallest norm), by (ΣᵀΣ)⁻¹Σᵀ for fewer noises.
struct NoiseInverse {
  using Entry = LikelihoodWeights::Inverse;
  /// A set of states that share noises.
  struct Group {
    std::vector<std::size_t> states;
    std::vector<std::size_t> noises;
    std::string unavailable;  ///< reason why this group has no inverse, as a clause; empty if it has one
  };
  std::vector<Entry> entries;
  std::vector<Group> groups;

  /// Largest number of states, or of noises, that are solved together.
  static constexpr std::size_t largest_group = 4;

  /// Reason why no noise produces this change of the states (one formula per state), as a clause; empty if one does. If
  /// a group has fewer noises than states, this is tested at random states.
  std::string obstacle(const Model& model, const std::vector<Expression>& change) const;
};

/// Σ⁺ of a model. A group has an inverse only if each site has its own noise and Σ has full rank at random states.
NoiseInverse noise_inverse(const Model& model);

}  // namespace gfdt::symbolic

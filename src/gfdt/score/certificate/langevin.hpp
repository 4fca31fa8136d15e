#pragma once

#include <cstdint>
#include <vector>

#include "gfdt/score/certificate/monitored_blocks.hpp"
#include "gfdt/score/estimators/normalisation.hpp"
#include "gfdt/score/fields/field.hpp"

namespace gfdt::score {

struct LangevinOptions {
  int chains = 4096;
  double time = 4;                            ///< in normalised units, in which a coordinate decorrelates in about 1
  std::uint64_t most_evaluations = 10000000;  ///< limit of component evaluations; reduces the number of chains first,
                                              ///< then the time
  std::uint64_t seed = 1;
  int threads = 0;
};

/// Chains dx̂ = ŝ dt + √2 dW in normalised coordinates. Their invariant density is the one whose score is ŝ. They start
/// at held-out states, so that chains of an accurate score are stationary from the start.
struct LangevinChains {
  static constexpr int snapshots = 4;  ///< per chain, at equal intervals over the second half of the time

  std::size_t chains = 0;
  std::size_t dimension = 0;
  std::vector<double> values;     ///< normalised, [chain][snapshot][component]
  std::vector<char> escaped;      ///< whether a chain became non-finite or went beyond `horizon`; its values are then
                                  ///< invalid
  double step = 0;                ///< time step
  double time = 0;                ///< simulated time
  bool shortened = false;         ///< whether the limit on evaluations reduced the time
  std::uint64_t evaluations = 0;  ///< of the score, at one state each
  bool complete = true;           ///< false if cancelled

  static constexpr double horizon = 50;
  std::size_t escaped_chains() const;
  const double* state(std::size_t chain, int snapshot) const {
    return values.data() + (chain * snapshots + static_cast<std::size_t>(snapshot)) * dimension;
  }
};

/// Heun's scheme, of weak order 2 for additive noise,
///   x* = x + h ŝ(x) + √(2h) ξ,   x ← x + h/2 (ŝ(x) + ŝ(x*)) + √(2h) ξ
/// The time step is h = 0.2/λ, where λ is the largest eigenvalue of ⟨ŝ ŝᵀ⟩ over the initial states. For a Gaussian, λ
/// is the fastest rate of the chain, and the variance along that direction is 1 % too small. A drift of more than one
/// standard deviation per step is limited to one, since in a steep tail the discretisation error would otherwise throw
/// a chain across the well even with an exact score. Chain c uses random stream c; results do not depend on the number
/// of threads.
LangevinChains langevin_chains(const Field& field, const Samples& held_out, const Normalisation& normalisation,
                               const LangevinOptions& options, const Watch& watch);

}  // namespace gfdt::score

#pragma once

#include <cstdint>
#include <vector>

#include "gfdt/score/certificate/monitored_blocks.hpp"
#include "gfdt/score/estimators/normalisation.hpp"
#include "gfdt/score/fields/field.hpp"

namespace gfdt::score {

struct LangevinOptions {
  int chains = 4096;
  double time = 4;                            ///< in normalised units, where a coordinate decorrelates in about 1
  std::uint64_t most_evaluations = 10000000;  ///< of a component; fewer chains, then less time, keep within it
  std::uint64_t seed = 1;
  int threads = 0;
};

/// Chains dx̂ = ŝ dt + √2 dW in normalised coordinates, whose invariant density is the one that the score belongs to.
/// They start at held-out states, so that with a good score they only have to stay.
struct LangevinChains {
  static constexpr int snapshots = 4;  ///< taken of each chain, evenly over the second half of the time

  std::size_t chains = 0;
  std::size_t dimension = 0;
  std::vector<double> values;     ///< normalised, [chain][snapshot][component]
  std::vector<char> escaped;      ///< whether a chain became not finite or went beyond `horizon`; its values are void
  double step = 0;                ///< of time
  double time = 0;                ///< that was covered
  bool shortened = false;         ///< whether the bound on evaluations cut the time
  std::uint64_t evaluations = 0;  ///< of the score, at one state each
  bool complete = true;           ///< false when cancelled

  static constexpr double horizon = 50;
  std::size_t escaped_chains() const;
  const double* state(std::size_t chain, int snapshot) const {
    return values.data() + (chain * snapshots + static_cast<std::size_t>(snapshot)) * dimension;
  }
};

/// Heun's scheme, of weak order 2 for additive noise,
///   x* = x + h ŝ(x) + √(2h) ξ,   x ← x + h/2 (ŝ(x) + ŝ(x*)) + √(2h) ξ
/// with the step h = 0.2/λ, λ the largest eigenvalue of ⟨ŝ ŝᵀ⟩ over the initial states (for a Gaussian the fastest rate
/// of the chain; its variance along that direction is then 1 % too small). A drift of more than one standard deviation
/// a step is cut to one: out in a steep tail the step error would throw a chain across the well, whatever the score.
/// Chain c draws from stream c; results are the same on any number of threads.
LangevinChains langevin_chains(const Field& field, const Samples& held_out, const Normalisation& normalisation,
                               const LangevinOptions& options, const Watch& watch);

}  // namespace gfdt::score

#pragma once

#include <vector>

#include "gfdt/codegen/program/aligned_array.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::simulate {

/// Initial scale of each field of the state.
template <class T>
std::vector<T> guard_scales(const symbolic::Model& model);

/// Detects members that become unstable. A member is unsound as soon as one of its states is not finite or exceeds
/// `absurd` times the scale of its field. The scale is |mean| + std of the initial distribution, but at least 1, or the
/// largest magnitude that the member reached in its burn-in while it was sound. The time has no limit, and weights are
/// limited only by the range of the number type. The result for a member depends only on its own trajectory.
template <class T>
class StabilityGuard {
 public:
  static constexpr double absurd = 1e6;

  StabilityGuard(const symbolic::Model& model, int lanes);

  /// Checks the current state. During burn-in, the scale may grow.
  void watch(const codegen::AlignedArray<T>& state, bool burn_in);

  bool sound(int lane) const { return sound_[static_cast<std::size_t>(lane)]; }
  /// Whether all of the first `members` lanes are unsound.
  bool all_lost(std::size_t members) const;

 private:
  std::vector<int> sites_;  ///< number of sites of each field
  std::size_t lanes_;
  std::vector<T> scale_;    ///< [field][lane]
  std::vector<T> largest_;  ///< [lane], for the current field
  std::vector<bool> sound_;
};

}  // namespace gfdt::simulate

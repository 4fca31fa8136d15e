#pragma once

#include <vector>

#include "gfdt/codegen/program/aligned_array.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::simulate {

/// The scale of each field of the state that members start with.
template <class T>
std::vector<T> guard_scales(const symbolic::Model& model);

/// Finds members that blew up. A member is unsound once one of its states is not finite, or is more than `absurd` times
/// the scale of its field: |mean| + std of the initial law, at least 1, or what the member itself has soundly grown to
/// in its burn-in. The time itself may become as large as it will, weights as
/// large as numbers go. Whether a member is sound depends on nothing but its
/// own trajectory.
template <class T>
class StabilityGuard {
 public:
  static constexpr double absurd = 1e6;

  StabilityGuard(const symbolic::Model& model, int lanes);

  /// Looks at the state; in the burn-in the scale may still grow.
  void watch(const codegen::AlignedArray<T>& state, bool burn_in);

  bool sound(int lane) const { return sound_[static_cast<std::size_t>(lane)]; }
  /// Whether all of the first `members` lanes are unsound.
  bool all_lost(std::size_t members) const;

 private:
  std::vector<int> sites_;  ///< of each field
  std::size_t lanes_;
  std::vector<T> scale_;    ///< [field][lane]
  std::vector<T> largest_;  ///< [lane], of the field at hand
  std::vector<bool> sound_;
};

}  // namespace gfdt::simulate

#pragma once

#include <cstdint>
#include <vector>

#include "gfdt/kernel/aligned_array.hpp"
#include "gfdt/model/model.hpp"

namespace gfdt::simulate {

/// Finds members that blew up. A member is unsound once one of its states is not finite, or is more than `absurd` times
/// as large as what seven in eight members of its block stayed below in that field during burn-in: a single member may
/// have started near zero, or have blown up in its burn-in already. It looks at the state now and then, not at every
/// step: what is not finite stays so.
template <class T>
class StabilityGuard {
 public:
  static constexpr double absurd = 1e4;

  StabilityGuard(const model::Model& model, int lanes);

  void watch_burn_in(const kernel::AlignedArray<T>& state);
  /// Sets the limits, from the first `members` lanes. Without a burn-in to compare with, that is unless this is called,
  /// only what is not finite is unsound.
  void end_burn_in(std::size_t members);
  void watch(const kernel::AlignedArray<T>& state);

  bool sound(int lane) const { return sound_[static_cast<std::size_t>(lane)]; }
  /// Whether all of the first `members` lanes are unsound.
  bool all_lost(std::size_t members) const;

 private:
  /// Largest absolute value of each field and lane; NaN when one is NaN.
  void measure(const kernel::AlignedArray<T>& state);
  /// Calls members unsound whose sizes, [field][lane], are past the limits.
  void compare(const std::vector<T>& sizes);

  std::vector<int> sites_;  ///< of each field
  std::size_t lanes_;
  std::vector<T> largest_;  ///< [field][lane], of the state at hand
  std::vector<T> burn_in_;  ///< [field][lane], largest of the burn-in
  std::vector<T> limit_;    ///< [field]
  std::vector<bool> sound_;
};

}  // namespace gfdt::simulate

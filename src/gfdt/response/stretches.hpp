#pragma once

#include <cstddef>
#include <cstdint>

namespace gfdt::response {

/// The time of every member is cut into stretches of equal length: the units whose spread gives error bars, and whose
/// halves a score is fitted on in turn. Products never reach from one stretch into another.
struct Stretches {
  std::size_t members = 0;
  std::size_t a_member = 1;
  std::uint64_t samples = 0;  ///< of a member

  std::size_t count() const { return members * a_member; }
  std::uint64_t begin(std::size_t stretch) const { return (stretch * samples + a_member - 1) / a_member; }
  /// The stretch of a member that a sample lies in.
  std::size_t of(std::uint64_t sample) const { return static_cast<std::size_t>(sample * a_member / samples); }
  /// The number of a stretch among those of all members.
  std::size_t unit(std::size_t member, std::size_t stretch) const { return member * a_member + stretch; }
  /// 0 for the first half of the units, 1 for the second.
  int half(std::size_t unit) const { return 2 * unit < count() ? 0 : 1; }

  /// Units are gathered into so many groups at most, whose sums are kept.
  static constexpr std::size_t most_groups = 128;
  std::size_t groups() const { return count() < most_groups ? count() : most_groups; }
  std::size_t group(std::size_t unit) const { return unit * groups() / count(); }
};

/// One stretch a member where there are enough members, else as many as make `wanted_units`, as long as each is at
/// least `shortest` samples long.
inline constexpr std::size_t wanted_units = 32, fewest_units = 16;
Stretches stretches_of(std::size_t members, std::uint64_t samples, std::uint64_t shortest);

}  // namespace gfdt::response

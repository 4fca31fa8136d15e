#pragma once

#include <cstddef>
#include <cstdint>

namespace gfdt::jacobian {

/// The time of every member is divided into segments of equal length. The spread between segments gives the error bars,
/// and each half of the segments is used for one fit of a cross-fit. Products never extend from one segment into
/// another.
struct Segments {
  std::size_t members = 0;
  std::size_t per_member = 1;
  std::uint64_t samples = 0;  ///< per member

  std::size_t count() const { return members * per_member; }
  std::uint64_t begin(std::size_t segment) const { return (segment * samples + per_member - 1) / per_member; }
  /// The segment of a member that contains a sample.
  std::size_t of(std::uint64_t sample) const { return static_cast<std::size_t>(sample * per_member / samples); }
  /// The index of a segment among those of all members.
  std::size_t unit(std::size_t member, std::size_t segment) const { return member * per_member + segment; }
  /// 0 for the first half of the units, 1 for the second.
  int half(std::size_t unit) const { return 2 * unit < count() ? 0 : 1; }

  /// Units are combined into at most this many groups, whose sums are kept.
  static constexpr std::size_t most_groups = 128;
  std::size_t groups() const { return count() < most_groups ? count() : most_groups; }
  std::size_t group(std::size_t unit) const { return unit * groups() / count(); }
};

/// One segment per member if there are enough members; otherwise enough segments for `wanted_units`, provided that each
/// is at least `shortest` samples long.
inline constexpr std::size_t wanted_units = 32, fewest_units = 16;
Segments segments_of(std::size_t members, std::uint64_t samples, std::uint64_t shortest);

}  // namespace gfdt::jacobian

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gfdt/parallel/parcel.hpp"

namespace gfdt::statistics {

/// Number of parts into which the time of a member is divided to test whether averages drift.
inline constexpr int parts_per_member = 15;

/// Sums of one quantity of one member, all relative to `reference`.
struct MemberSums {
  double reference = 0;
  std::uint64_t samples = 0;
  double square = 0;                       ///< Σ v²
  double part_sum[parts_per_member] = {};  ///< Σ v over each part of the time
  std::uint64_t part_count[parts_per_member] = {};

  struct Level {
    std::uint64_t count = 0;
    double sum = 0, square = 0;  ///< of averages over 2^level groups of samples
  };
  std::vector<Level> levels;

  static std::size_t bytes(std::size_t level_count) { return sizeof(MemberSums) + level_count * sizeof(Level); }

  double mean() const;
  double mean_of_parts(int first, int last) const;  ///< mean over the parts in [first, last)
};

/// The sums of members that consist of `segments` consecutive segments each. The levels are left out.
std::vector<MemberSums> joined(std::span<const MemberSums> members, std::size_t segments);

/// Accumulates several quantities of a block of members while samples arrive. Averages over 1, 2, 4, … groups of
/// samples are formed on the way (Flyvbjerg and Petersen 1989); their variances give the autocorrelation time in
/// constant memory.
class SeriesSums {
 public:
  SeriesSums(int quantities, int lanes, std::uint64_t samples);

  /// Number of levels for this number of samples, and bytes per quantity and lane.
  static std::size_t level_count(std::uint64_t samples);
  static std::size_t bytes_per_series(std::uint64_t samples);

  /// values[(sample * quantities + quantity) * lanes + lane]
  template <class T>
  void add(const T* values, std::uint64_t samples);

  /// Takes over sums of the first `seen` samples that were computed elsewhere: [slot][quantity][lane] with the slots
  /// reference, sum of the unfinished group, Σ v², parts; then the waiting averages, one per level, then sums, then
  /// squares.
  void take(std::uint64_t seen, std::span<const double> numbers);
  std::size_t levels() const { return level_count_.size(); }
  std::uint64_t groups() const { return groups_; }

  MemberSums member(int quantity, int lane) const;
  MemberSums member_without_levels(int quantity, int lane) const;
  void pack(Packer& packer) const;
  void unpack(Unpacker& unpacker);
  /// Number of samples per group, the unit of the levels.
  std::uint64_t group() const { return group_; }

 private:
  template <class T>
  void add_sample(const T* values);
  void close_group();
  double* at(std::vector<double>& table, std::size_t row) { return table.data() + row * width_; }

  std::size_t quantities_, lanes_, width_;
  std::uint64_t group_, groups_;
  std::uint64_t in_group_ = 0, groups_done_ = 0, samples_done_ = 0;
  std::vector<double> reference_, group_sum_, square_;  ///< [quantity][lane]
  std::vector<double> part_sum_;                        ///< [part][quantity][lane]
  std::vector<std::uint64_t> part_count_;
  std::vector<double> pending_, level_sum_, level_square_;  ///< [level][quantity][lane]
  std::vector<std::uint64_t> level_count_;
};

}  // namespace gfdt::statistics

#pragma once

#include <cstddef>
#include <vector>

#include "gfdt/simulate/source.hpp"

namespace gfdt::simulate {

/// States that somebody else's program has left: values[(member * times + time) * rows + row], rows in the order of a
/// run of the model, all finite.
struct Recording {
  std::size_t members = 0;
  std::size_t times = 0;
  std::size_t rows = 0;
  double interval = 0;  ///< between times
  std::vector<double> values;
};

/// Shows recorded states as a run shows its samples. Fewer than `fewest_members` members are cut into segments of
/// equal length that count as members of their own, so that error bars can come from their spread: as few as make that
/// many. Samples left over at the end of a member are dropped.
class RecordedSource : public Source {
 public:
  static constexpr std::size_t fewest_members = 16;

  /// Threads, back end and seed are those of `options`; no segment is shorter than the time `shortest`, unless the
  /// member itself is. Throws Error for a recording without states, without an interval, or of another size than it
  /// says.
  explicit RecordedSource(Recording recording, const Options& options = {}, double shortest = 0);

  std::size_t segments_per_member() const override { return segments_; }
  Summary run(std::span<Sink* const> sinks, const Control& control) const override;

 private:
  /// Copies samples of the members in the lanes of a block to [sample][row][lane].
  void copy(const Block& block, std::uint64_t first_sample, std::uint64_t samples, double* record) const;

  Recording recording_;
  std::size_t segments_;
};

}  // namespace gfdt::simulate

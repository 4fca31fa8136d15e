#pragma once

#include <cstddef>
#include <vector>

#include "gfdt/simulate/source.hpp"

namespace gfdt::simulate {

/// States recorded by another program: values[(member * times + time) * rows + row], all finite. Rows are in the order
/// of a run of the model.
struct Recording {
  std::size_t members = 0;
  std::size_t times = 0;
  std::size_t rows = 0;
  double interval = 0;  ///< time between samples
  std::vector<double> values;
};

/// Passes recorded states to sinks like the samples of a run. If there are fewer than `fewest_members` members, they
/// are divided into segments of equal length that count as separate members, so that standard errors can be estimated
/// from their spread. The number of segments is the smallest that yields `fewest_members`. Samples that do not fill a
/// segment are discarded.
class RecordedSource : public Source {
 public:
  static constexpr std::size_t fewest_members = 16;

  /// Threads, back end and seed are taken from `options`. Segments are at least as long as `shortest` (in units of
  /// time), unless the member itself is shorter. Throws Error if the recording has no states, no positive interval, or
  /// the wrong number of values.
  explicit RecordedSource(Recording recording, const Options& options = {}, double shortest = 0);

  std::size_t segments_per_member() const override { return segments_; }
  Summary run(std::span<Sink* const> sinks, const Control& control) const override;

 private:
  /// Copies samples of the members of a block to [sample][row][lane].
  void copy(const Block& block, std::uint64_t first_sample, std::uint64_t samples, double* record) const;

  Recording recording_;
  std::size_t segments_;
};

}  // namespace gfdt::simulate

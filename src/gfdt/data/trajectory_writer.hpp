#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "gfdt/data/provenance.hpp"
#include "gfdt/data/trajectory.hpp"
#include "gfdt/simulate/options.hpp"
#include "gfdt/simulate/sink.hpp"

namespace gfdt::data {

/// Writes a trajectory as it is simulated; memory does not grow with its length. The file appears under its name in
/// `finish`.
///
/// Members come in any order and interleaved, from any thread; the times of one member come in order. A member that
/// starts again at time 0 replaces what was written of it.
class TrajectoryWriter {
 public:
  explicit TrajectoryWriter(TrajectoryLayout layout);
  virtual ~TrajectoryWriter() = default;

  /// `members[lane]` is the member in that lane; lanes past the last member are ignored. Throws Error when the disk is
  /// full.
  template <class T>
  void append(std::span<const std::uint32_t> members, const simulate::Record<T>& record);

  /// Throws Error when a member is not complete, or the file cannot be completed; the file does not appear then.
  void finish();

  const TrajectoryLayout& layout() const { return layout_; }

 private:
  /// Values are [time][variable].
  virtual void write(std::size_t member, std::size_t first_time, std::size_t times, std::span<const double> values) = 0;
  virtual void complete() = 0;

  TrajectoryLayout layout_;
  std::vector<std::size_t> times_written_;  ///< of each member
  std::mutex mutex_;
};

extern template void TrajectoryWriter::append(std::span<const std::uint32_t>, const simulate::Record<float>&);
extern template void TrajectoryWriter::append(std::span<const std::uint32_t>, const simulate::Record<double>&);

/// A writer of CSV or netCDF, by the end of the file's name: `.csv`, `.nc`.
std::unique_ptr<TrajectoryWriter> make_trajectory_writer(const std::filesystem::path& file,
                                                         const TrajectoryLayout& layout, const Provenance& provenance);

/// What a simulation of a model with these options gives.
TrajectoryLayout trajectory_layout(const symbolic::Model& model, const simulate::Options& options);

/// Hands the samples of a run to a writer. `finish` of the writer is left to the caller, when the run went well. The
/// run is made by the first rank alone; the others have no writer.
class TrajectorySink : public simulate::Sink {
 public:
  explicit TrajectorySink(TrajectoryWriter& writer) : writer_(&writer) {}
  /// On a rank that has none.
  TrajectorySink() = default;
  std::unique_ptr<simulate::BlockSink> open(const simulate::Block& block) override;
  void close(const simulate::Block&, std::unique_ptr<simulate::BlockSink>, const std::vector<bool>&) override {}
  bool travels() const override { return false; }

 private:
  TrajectoryWriter* writer_ = nullptr;
};

}  // namespace gfdt::data

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

/// Writes a trajectory during the simulation; memory does not grow with its length. The file appears under its name
/// after `finish`.
///
/// Members may arrive in any order, interleaved, and from any thread; the times of a member must be in order. If a
/// member starts again at time 0, its previous values are replaced.
class TrajectoryWriter {
 public:
  explicit TrajectoryWriter(TrajectoryLayout layout);
  virtual ~TrajectoryWriter() = default;

  /// `members[lane]` is the index of the member in a lane; lanes beyond the last member are ignored. Throws Error if
  /// the data cannot be written, for example because the disk is full.
  template <class T>
  void append(std::span<const std::uint32_t> members, const simulate::Record<T>& record);

  /// Completes the file. Throws Error if a member is incomplete or the file cannot be completed; the file does not
  /// appear then.
  void finish();

  const TrajectoryLayout& layout() const { return layout_; }

 private:
  /// Values are stored as [time][variable].
  virtual void write(std::size_t member, std::size_t first_time, std::size_t times, std::span<const double> values) = 0;
  virtual void complete() = 0;

  TrajectoryLayout layout_;
  std::vector<std::size_t> times_written_;  ///< per member
  std::mutex mutex_;
};

extern template void TrajectoryWriter::append(std::span<const std::uint32_t>, const simulate::Record<float>&);
extern template void TrajectoryWriter::append(std::span<const std::uint32_t>, const simulate::Record<double>&);

/// A writer for CSV or netCDF, selected by the extension `.csv`, `.nc` or `.nc4`. Throws Error for any other extension.
std::unique_ptr<TrajectoryWriter> make_trajectory_writer(const std::filesystem::path& file,
                                                         const TrajectoryLayout& layout, const Provenance& provenance);

/// Layout of the trajectory that a simulation of this model with these options produces.
TrajectoryLayout trajectory_layout(const symbolic::Model& model, const simulate::Options& options);

/// Passes the samples of a run to a writer. The caller must call `finish` of the writer after a successful run. The
/// root rank alone performs the run; other ranks have no writer.
class TrajectorySink : public simulate::Sink {
 public:
  explicit TrajectorySink(TrajectoryWriter& writer) : writer_(&writer) {}
  /// For ranks without a writer.
  TrajectorySink() = default;
  std::unique_ptr<simulate::BlockSink> open(const simulate::Block& block) override;
  void close(const simulate::Block&, std::unique_ptr<simulate::BlockSink>, const std::vector<bool>&) override {}
  bool travels() const override { return false; }

 private:
  TrajectoryWriter* writer_ = nullptr;
};

}  // namespace gfdt::data

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gfdt/parallel/parcel.hpp"

namespace gfdt::gpu {
class Device;
}

namespace gfdt::simulate {

class DeviceSink;
enum class Precision;

/// Members that run together, one per lane. Lanes from `members.size()` on are padding.
struct Block {
  std::size_t number = 0;
  int lanes = 0;
  std::vector<std::uint32_t> members;  ///< index of the member in each lane
  std::vector<std::uint32_t> streams;  ///< random stream of each lane, including padding
};

/// Consecutive samples of a block: data[(sample * rows + row) * lanes + lane].
template <class T>
struct Record {
  const T* data = nullptr;
  std::uint64_t first_sample = 0;
  std::uint64_t samples = 0;
  int rows = 0;
  int lanes = 0;
};

/// Processes the samples of one block, on the thread that runs the block.
class BlockSink {
 public:
  virtual ~BlockSink() = default;
  virtual void consume(const Record<float>& record) = 0;
  virtual void consume(const Record<double>& record) = 0;

  /// Serializes the results of a completed block for the other ranks, or restores them into a block sink that has not
  /// consumed any sample. Nothing is consumed after either call.
  virtual void pack(Packer&) { throw Error("This sink does not support MPI."); }
  virtual void unpack(Unpacker&) { throw Error("This sink does not support MPI."); }
};

/// Processes the samples of a run. Blocks may run concurrently. They are opened and closed one at a time, and closed in
/// the order of their numbers, so that results do not depend on the number of threads.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual std::unique_ptr<BlockSink> open(const Block& block) = 0;
  /// Opens a sink that processes blocks on a device. Returns null if that is not possible; samples are then copied to
  /// the host.
  virtual std::unique_ptr<DeviceSink> open_on_device(const gpu::Device& device, std::span<const Block> blocks,
                                                     Precision precision);
  /// `sound[lane]`: whether the member in this lane remained stable. Data of an unstable member must not enter any
  /// result; the member is run again in a later block with another random stream.
  virtual void close(const Block& block, std::unique_ptr<BlockSink> sink, const std::vector<bool>& sound) = 0;
  /// Bytes of memory per member that are kept until the run has been evaluated.
  virtual std::size_t bytes_per_member() const { return 0; }
  /// Whether blocks can be serialized, so that other ranks may run them; otherwise the root rank runs all blocks.
  virtual bool travels() const { return true; }
};

/// Base class of block sinks with one implementation for both precisions: `template <class T> void take(const
/// Record<T>&)`.
template <class Derived>
class BlockSinkOf : public BlockSink {
 public:
  void consume(const Record<float>& record) final { static_cast<Derived*>(this)->take(record); }
  void consume(const Record<double>& record) final { static_cast<Derived*>(this)->take(record); }
};

}  // namespace gfdt::simulate

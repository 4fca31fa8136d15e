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

/// Members that run together, one a lane. Lanes past `members.size()` are padding.
struct Block {
  std::size_t number = 0;
  int lanes = 0;
  std::vector<std::uint32_t> members;  ///< number of the member in each lane
  std::vector<std::uint32_t> streams;  ///< random stream of each lane, padding included
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

/// Looks at one block while it runs, on the thread that runs it.
class BlockSink {
 public:
  virtual ~BlockSink() = default;
  virtual void consume(const Record<float>& record) = 0;
  virtual void consume(const Record<double>& record) = 0;

  /// All that it has seen of a block that came to its end, for the sinks of other ranks, and into one that has seen
  /// nothing. Nothing is consumed after either.
  virtual void pack(Packer&) { throw Error("What looks at this run can be in one process only."); }
  virtual void unpack(Unpacker&) { throw Error("What looks at this run can be in one process only."); }
};

/// Looks at a run. Blocks may run at the same time; they are opened and closed one at a time, closed in the order of
/// their numbers, so that what a sink adds up does not depend on the number of threads.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual std::unique_ptr<BlockSink> open(const Block& block) = 0;
  /// Looks at blocks where they run, on a device; null where that is not possible: their samples then come to the host.
  virtual std::unique_ptr<DeviceSink> open_on_device(const gpu::Device& device, std::span<const Block> blocks,
                                                     Precision precision);
  /// `sound[lane]`: whether the member in that lane stayed sound to the end. What an unsound member left behind must
  /// not enter any result; it is run again in a later block, from another stream.
  virtual void close(const Block& block, std::unique_ptr<BlockSink> sink, const std::vector<bool>& sound) = 0;
  /// Memory that is taken for each member until the run has been evaluated.
  virtual std::size_t bytes_per_member() const { return 0; }
  /// Whether blocks may run on other ranks, and be packed there; else the first rank runs all of them.
  virtual bool travels() const { return true; }
};

/// A block sink written once for both precisions: Derived has `template <class T> void take(const Record<T>&)`.
template <class Derived>
class BlockSinkOf : public BlockSink {
 public:
  void consume(const Record<float>& record) final { static_cast<Derived*>(this)->take(record); }
  void consume(const Record<double>& record) final { static_cast<Derived*>(this)->take(record); }
};

}  // namespace gfdt::simulate

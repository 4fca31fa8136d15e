#pragma once

#include <memory>
#include <vector>

#include "gfdt/gpu/driver/device.hpp"
#include "gfdt/simulate/sink.hpp"

namespace gfdt::simulate {

/// Consecutive samples of blocks in the memory of a device: those of block b lie from number b · stride on, as a Record
/// has them.
struct DeviceRecord {
  gpu::Address data = 0;
  std::uint64_t first_sample = 0;
  std::uint64_t samples = 0;
  std::uint64_t stride = 0;
};

/// Looks at blocks that run together on a device.
class DeviceSink {
 public:
  virtual ~DeviceSink() = default;
  virtual void consume(const DeviceRecord& record) = 0;
  /// What it has seen, block by block, as if each had been looked at on the host.
  virtual std::vector<std::unique_ptr<BlockSink>> finish() = 0;
};

}  // namespace gfdt::simulate

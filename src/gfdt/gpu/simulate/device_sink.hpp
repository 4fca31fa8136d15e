#pragma once

#include <memory>
#include <vector>

#include "gfdt/gpu/driver/device.hpp"
#include "gfdt/simulate/sink.hpp"

namespace gfdt::simulate {

/// Consecutive samples of blocks in device memory. Those of block b start at number b · stride, in the layout of
/// Record.
struct DeviceRecord {
  gpu::Address data = 0;
  std::uint64_t first_sample = 0;
  std::uint64_t samples = 0;
  std::uint64_t stride = 0;
};

/// Processes the samples of blocks that run concurrently on a device.
class DeviceSink {
 public:
  virtual ~DeviceSink() = default;
  virtual void consume(const DeviceRecord& record) = 0;
  /// Results by block, as if each block had been processed on the host.
  virtual std::vector<std::unique_ptr<BlockSink>> finish() = 0;
};

}  // namespace gfdt::simulate

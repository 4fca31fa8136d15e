#pragma once

#include "gfdt/gpu/driver/device.hpp"
#include "gfdt/gpu/simulate/device_sink.hpp"
#include "gfdt/gpu/statistics/device_plan.hpp"
#include "gfdt/jacobian/correlation/lag_bins.hpp"
#include "gfdt/jacobian/correlation/segments.hpp"
#include "gfdt/simulate/options.hpp"

namespace gfdt::jacobian {

/// Signals that a device computes itself: later rows from formulas; earlier rows are the last rows of the state.
struct DeviceSignals {
  statistics::DevicePlan later;
  simulate::Precision precision;  ///< precision of the record
};

/// LagProducts of all members of some blocks, stored and accumulated on a device.
class DeviceResponse {
 public:
  DeviceResponse(const gpu::Device& device, const DeviceSignals& signals, const SignalShape& shape, const LagBins& bins,
                 const Segments& segments, std::size_t blocks);

  void add(const simulate::DeviceRecord& record);
  /// Closes the last segment. Returns the sums of each segment, [segment][thread].
  std::vector<std::vector<LagSums>> finish();

 private:
  void enter();
  void close_segment();
  void add_samples(const simulate::DeviceRecord& record, std::uint64_t from, std::uint64_t samples);
  std::vector<double> numbers(const gpu::Memory& memory) const;

  const gpu::Device& device_;
  SignalShape shape_;
  LagBins bins_;
  Segments segments_;
  std::size_t threads_, most_samples_;
  std::vector<std::byte> uniforms_;
  gpu::Kernel signals_, sum_bins_, multiply_, square_, move_on_;
  gpu::Memory later_, earlier_, later_bins_, earlier_bins_, products_, squares_, later_sum_, earlier_sum_;
  std::size_t segment_ = 0;
  std::uint64_t segment_end_ = 0, bins_end_ = 0, closed_ = 0;
  unsigned pending_ = 0;
  std::vector<std::vector<LagSums>> finished_;
};

}  // namespace gfdt::jacobian

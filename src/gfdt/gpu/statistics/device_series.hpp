#pragma once

#include <functional>
#include <span>

#include "gfdt/gpu/driver/device.hpp"
#include "gfdt/gpu/simulate/device_sink.hpp"
#include "gfdt/gpu/statistics/device_plan.hpp"
#include "gfdt/simulate/options.hpp"
#include "gfdt/statistics/series/series_sums.hpp"

namespace gfdt::statistics {

/// SeriesSums of all members of some blocks, stored and accumulated on a device.
class DeviceSeries {
 public:
  DeviceSeries(const gpu::Device& device, const DevicePlan& plan, simulate::Precision precision, std::size_t blocks,
               std::uint64_t samples);

  void add(const simulate::DeviceRecord& record);

  std::uint64_t seen() const { return seen_; }  ///< number of samples
  /// Calls `take(block, numbers)` once per block, on `threads` threads, with numbers in the layout that SeriesSums
  /// expects.
  void read(int threads, const std::function<void(std::size_t block, std::span<const double> numbers)>& take) const;

 private:
  const gpu::Device& device_;
  SeriesSums shape_;  ///< grouping of samples
  std::size_t blocks_, slots_, numbers_per_block_;
  std::uint64_t seen_ = 0;
  std::vector<std::byte> uniforms_;
  gpu::Kernel kernel_;
  gpu::Memory sums_;
};

}  // namespace gfdt::statistics

#pragma once

#include "gfdt/gpu/driver/device.hpp"
#include "gfdt/gpu/simulate/device_sink.hpp"
#include "gfdt/gpu/statistics/device_plan.hpp"
#include "gfdt/simulate/options.hpp"
#include "gfdt/statistics/correlation.hpp"

namespace gfdt::statistics {

/// What FieldAutocovariance keeps of all members of some blocks, kept and added to on a device.
class DeviceAutocovariance {
 public:
  /// Bytes of values that are made before they are multiplied, at most.
  static constexpr std::size_t usual_room = std::size_t{1} << 28;

  /// Whether a device does well at it: it multiplies at each lag, where the host transforms, and code for it grows with
  /// the sites.
  static bool suits(const DevicePlan& plan, std::size_t lags);

  /// Lags 0 … lags − 1 of `samples` samples.
  DeviceAutocovariance(const gpu::Device& device, const DevicePlan& plan, simulate::Precision precision,
                       std::size_t blocks, std::uint64_t samples, std::size_t lags, std::size_t room = usual_room);

  void add(const simulate::DeviceRecord& record);
  /// Over all sites, [block][lane].
  std::vector<std::vector<LaggedSums>> sums(int threads) const;

 private:
  std::vector<double> numbers(gpu::Address from, std::size_t count) const;

  const gpu::Device& device_;
  std::size_t sites_, blocks_, threads_, lags_, most_samples_;
  std::uint64_t seen_ = 0;
  std::vector<std::byte> uniforms_;
  gpu::Kernel find_reference_, evaluate_, multiply_, keep_;
  gpu::Memory values_, reference_, products_, total_, first_;
};

}  // namespace gfdt::statistics

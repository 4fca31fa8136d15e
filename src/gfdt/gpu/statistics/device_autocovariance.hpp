#pragma once

#include "gfdt/gpu/driver/device.hpp"
#include "gfdt/gpu/simulate/device_sink.hpp"
#include "gfdt/gpu/statistics/device_plan.hpp"
#include "gfdt/simulate/options.hpp"
#include "gfdt/statistics/correlation.hpp"

namespace gfdt::statistics {

/// Sums of FieldAutocovariance for all members of some blocks, stored and accumulated on a device.
class DeviceAutocovariance {
 public:
  /// Largest number of bytes of values that are computed before they are multiplied.
  static constexpr std::size_t usual_room = std::size_t{1} << 28;

  /// Whether a device is suitable: it multiplies at each lag, whereas the host uses a Fourier transform, and its code
  /// grows with the number of sites.
  static bool suits(const DevicePlan& plan, std::size_t lags);

  /// For lags 0 … lags − 1 of `samples` samples.
  DeviceAutocovariance(const gpu::Device& device, const DevicePlan& plan, simulate::Precision precision,
                       std::size_t blocks, std::uint64_t samples, std::size_t lags, std::size_t room = usual_room);

  void add(const simulate::DeviceRecord& record);
  /// Sums over all sites, [block][lane].
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

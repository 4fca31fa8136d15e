#pragma once

#include "gfdt/statistics/correlation.hpp"
#include "gfdt/statistics/device_series.hpp"

namespace gfdt::statistics {

/// What FieldAutocovariance keeps of all members of some blocks, kept and added to on a device.
class DeviceAutocovariance {
 public:
  DeviceAutocovariance(const cuda::Device& device, const DevicePlan& plan, simulate::Precision precision,
                       std::size_t blocks, std::size_t lags);

  void add(const simulate::DeviceRecord& record);
  /// Over all sites, of each lane of each block.
  std::vector<LaggedSums> sums() const;

 private:
  std::vector<double> numbers(cuda::Address from, std::size_t count) const;

  const cuda::Device& device_;
  std::size_t sites_, threads_, lags_, most_samples_;
  std::uint64_t seen_ = 0;
  std::vector<std::byte> uniforms_;
  cuda::Kernel field_, multiply_, keep_;
  cuda::Memory values_, products_, total_, first_;
};

}  // namespace gfdt::statistics

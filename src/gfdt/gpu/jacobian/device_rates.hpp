#pragma once

#include <functional>

#include "gfdt/gpu/driver/device.hpp"
#include "gfdt/gpu/simulate/device_sink.hpp"
#include "gfdt/simulate/options.hpp"

namespace gfdt::jacobian {

/// Passes the rates of weights, instead of the weights, to device sinks (weighted_source.hpp).
class DeviceRates : public simulate::DeviceSink {
 public:
  struct Shape {
    std::size_t blocks;
    int rows, own_rows;  ///< rows of the state, with and without the weights
    std::uint64_t samples;
    double interval;
    simulate::Precision precision;
  };
  using Sinks = std::vector<std::unique_ptr<simulate::DeviceSink>>;
  /// Combines the results of all sinks for a block.
  using Joining =
      std::function<std::unique_ptr<simulate::BlockSink>(std::vector<std::unique_ptr<simulate::BlockSink>>)>;

  DeviceRates(const gpu::Device& device, const Shape& shape, Sinks sinks, Joining join);

  void consume(const simulate::DeviceRecord& record) override;
  std::vector<std::unique_ptr<simulate::BlockSink>> finish() override;

 private:
  const gpu::Device& device_;
  Shape shape_;
  Sinks sinks_;
  Joining join_;
  std::size_t number_bytes_;
  gpu::Kernel kernel_;
  gpu::Memory waiting_, shown_;
};

}  // namespace gfdt::jacobian

#pragma once

#include <functional>

#include "gfdt/gpu/driver/device.hpp"
#include "gfdt/gpu/simulate/device_sink.hpp"
#include "gfdt/simulate/options.hpp"

namespace gfdt::jacobian {

/// Shows rates of weights in place of the weights to sinks on a device (weighted_source.hpp).
class DeviceRates : public simulate::DeviceSink {
 public:
  struct Shape {
    std::size_t blocks;
    int rows, own_rows;  ///< of the state, and of it without the weights
    std::uint64_t samples;
    double interval;
    simulate::Precision precision;
  };
  using Sinks = std::vector<std::unique_ptr<simulate::DeviceSink>>;
  /// Puts together what the sinks have seen of a block.
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

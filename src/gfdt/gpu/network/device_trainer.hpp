#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gfdt/network/trainer.hpp"

namespace gfdt::gpu {

/// Distribution of work on a device.
struct Layout {
  int samples = 0;  ///< samples that a thread group processes at a time; 0: automatic
  int alone = -1;   ///< 1: a single group takes all steps of an epoch in one launch; 0: it does not; −1: automatic
};

/// A trainer on a GPU, with additional functions for tests and measurements.
class DeviceTrainer : public network::Trainer {
 public:
  /// Σ w (y − target) ∂y/∂parameters over examples, in the order of Network::parameters.
  virtual std::vector<float> gradient(std::span<const std::uint32_t> examples, std::uint32_t round) = 0;

  /// Cost of a gradient of these examples by part, in clock cycles of one thread group.
  struct Cost {
    std::string part;
    double cycles = 0;
  };
  virtual std::vector<Cost> costs(std::span<const std::uint32_t> examples) = 0;
};

/// Trainer on a GPU, with data, moving averages and parameters in device memory, so that an epoch is a few launches
/// without waiting. It uses the same examples and noise as the host trainer, and its results are reproducible bit by
/// bit. Operands of products are rounded to a mantissa of ten bits (TF32), or have single precision if `precise`.
/// `examples` must have a table. Throws Error if the network or the examples cannot be used on a GPU.
std::unique_ptr<DeviceTrainer> make_device_trainer(const network::Network<float>& network,
                                                   const network::Examples& examples,
                                                   const network::TrainingOptions& options, const Layout& layout = {},
                                                   bool precise = false);

}  // namespace gfdt::gpu

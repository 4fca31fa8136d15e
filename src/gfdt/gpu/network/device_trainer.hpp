#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gfdt/network/trainer.hpp"

namespace gfdt::gpu {

/// How work is laid out on a device; 0: chosen.
struct Layout {
  int samples = 0;  ///< that a thread group works on at a time
  int alone = -1;   ///< 1: a single group takes all steps of an epoch in one launch, 0: not, −1: chosen
};

class DeviceTrainer : public network::Trainer {
 public:
  /// Σ w (y − target) ∂y/∂parameters over examples, in the order of Network::parameters.
  virtual std::vector<float> gradient(std::span<const std::uint32_t> examples, std::uint32_t round) = 0;

  /// What a gradient of these examples costs, part by part: clock cycles of one thread group.
  struct Cost {
    std::string part;
    double cycles = 0;
  };
  virtual std::vector<Cost> costs(std::span<const std::uint32_t> examples) = 0;
};

/// On a GPU, with data, averages and parameters in its memory: an epoch is some launches and no waiting. Sees the same
/// examples with the same noise as the trainer of the host, and gives the same bits each time. Products have operands
/// of ten bits of mantissa (TF32), or with `precise` all of single precision. `examples` must have a table.
std::unique_ptr<DeviceTrainer> make_device_trainer(const network::Network<float>& network,
                                                   const network::Examples& examples,
                                                   const network::TrainingOptions& options, const Layout& layout = {},
                                                   bool precise = false);

}  // namespace gfdt::gpu

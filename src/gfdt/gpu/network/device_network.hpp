#pragma once

#include <memory>
#include <mutex>
#include <span>

#include "gfdt/gpu/network/placement.hpp"
#include "gfdt/network/network.hpp"

namespace gfdt::gpu {

/// Derivative with respect to input `channel` of the site at `offset` from each site, see Network::window_tangent.
struct Window {
  int offset = 0;
  int channel = 0;
};

/// A network on a GPU, for values and derivatives at many states. Thread-safe; concurrent calls use the device in turn.
class DeviceNetwork {
 public:
  /// `samples`: samples that a thread group processes at a time; 0: automatic. Throws Error if the network cannot run
  /// on a GPU.
  explicit DeviceNetwork(const network::Network<float>& network, int samples = 0, bool precise = true);

  /// Computes y [sample][output] from x [sample][input].
  void evaluate(std::span<const float> x, std::span<float> y);
  /// Also computes derivatives dy [direction][sample][output] in the directions v [direction][sample][input].
  void differentiate(std::span<const float> x, std::span<const float> v, std::span<float> y, std::span<float> dy);
  /// Also computes derivatives dy [window][sample][output], for networks with windows (Network::has_window).
  void differentiate(std::span<const float> x, std::span<const Window> windows, std::span<float> y,
                     std::span<float> dy);

 private:
  /// Address of a memory of at least this size; allocates a larger one if necessary.
  Address room(Memory& memory, std::size_t bytes);
  void run(std::span<const float> x, std::span<float> y, std::size_t directions, std::span<const std::byte> what,
           bool windows, std::span<float> dy);

  const Device& device_;
  Placement placement_;
  Kernel kernel_;
  Memory x_, y_, what_, dy_;
  std::mutex mutex_;
};

}  // namespace gfdt::gpu

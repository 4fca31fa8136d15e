#pragma once

#include <memory>
#include <mutex>
#include <span>

#include "gfdt/gpu/network/placement.hpp"
#include "gfdt/network/network.hpp"

namespace gfdt::gpu {

/// A derivative by the input `channel` of the site `offset` sites on, see Network::window_tangent.
struct Window {
  int offset = 0;
  int channel = 0;
};

/// A network on a GPU, for values and derivatives at many states at once. Calls from several threads take turns.
class DeviceNetwork {
 public:
  /// `samples`: that a thread group works on at a time; 0: chosen.
  explicit DeviceNetwork(const network::Network<float>& network, int samples = 0, bool precise = true);

  /// y [sample][output] from x [sample][input].
  void evaluate(std::span<const float> x, std::span<float> y);
  /// And dy [direction][sample][output] along v [direction][sample][input].
  void differentiate(std::span<const float> x, std::span<const float> v, std::span<float> y, std::span<float> dy);
  /// And dy [window][sample][output], for networks that have windows (Network::has_window).
  void differentiate(std::span<const float> x, std::span<const Window> windows, std::span<float> y,
                     std::span<float> dy);

 private:
  /// Memory that grows.
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

#include "gfdt/gpu/network/device_network.hpp"

#include <algorithm>

#include "gfdt/base/error.hpp"

namespace gfdt::gpu {
namespace {

constexpr int groups_together = 2;

const Device& device_for(const network::Architecture& architecture) {
  if (const std::string missing = missing_for(architecture); !missing.empty()) throw Error(missing);
  const Device& device = *Device::find();
  device.use();
  return device;
}

int samples_for(const Device& device, const network::Architecture& architecture, int samples) {
  constexpr int most = 1024;
  return samples > 0 ? samples : program_of(architecture).best_samples(1, most, device.group_bytes());
}

}  // namespace

DeviceNetwork::DeviceNetwork(const network::Network<float>& network, int samples, bool precise)
    : device_(device_for(network.architecture())),
      placement_(device_, network.architecture(), samples_for(device_, network.architecture(), samples),
                 2 * static_cast<unsigned>(device_.multiprocessors())),
      kernel_(device_, evaluation_source(precise, groups_together), "gfdt_evaluate") {
  kernel_.set_group_memory(placement_.group_bytes());
  placement_.set_parameters(network.parameters());
}

Address DeviceNetwork::room(Memory& memory, std::size_t bytes) {
  if (memory.bytes() < bytes) {
    memory = Memory();
    memory = Memory(device_, bytes);
  }
  return memory.address();
}

void DeviceNetwork::run(std::span<const float> x, std::span<float> y, std::size_t directions,
                        std::span<const std::byte> what, bool windows, std::span<float> dy) {
  const std::size_t samples = x.size() / placement_.program().inputs;
  if (samples == 0) return;
  std::lock_guard lock(mutex_);
  device_.use();
  const Address from = room(x_, x.size_bytes()), to = room(y_, y.size_bytes());
  const Address along = room(what_, what.size()), derivatives = room(dy_, dy.size_bytes());
  device_.upload(x, from);
  if (!what.empty()) device_.upload(what, along);
  kernel_.launch(placement_.groups_for(samples), 32 * warps, placement_.network(), static_cast<unsigned>(samples), from,
                 to, static_cast<unsigned>(directions), windows ? Address{0} : along, windows ? along : Address{0},
                 derivatives);
  device_.download(to, y);
  if (!dy.empty()) device_.download(derivatives, dy);
}

void DeviceNetwork::evaluate(std::span<const float> x, std::span<float> y) { run(x, y, 0, {}, false, {}); }

void DeviceNetwork::differentiate(std::span<const float> x, std::span<const float> v, std::span<float> y,
                                  std::span<float> dy) {
  run(x, y, x.empty() ? 0 : v.size() / x.size(), std::as_bytes(v), false, dy);
}

void DeviceNetwork::differentiate(std::span<const float> x, std::span<const Window> windows, std::span<float> y,
                                  std::span<float> dy) {
  run(x, y, windows.size(), std::as_bytes(windows), true, dy);
}

}  // namespace gfdt::gpu

#pragma once

#include <functional>

#include "gfdt/gpu/codegen/device_source.hpp"
#include "gfdt/gpu/driver/device.hpp"
#include "gfdt/gpu/simulate/device_sink.hpp"
#include "gfdt/gpu/simulate/device_step.hpp"
#include "gfdt/simulate/blocks.hpp"
#include "gfdt/simulate/options.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::simulate {

/// Takes blocks through burn-in and sampling on a device, all of them together. The same members, random numbers and
/// order of steps as on the host; results agree to rounding.
template <class T>
class DeviceRun {
 public:
  DeviceRun(const symbolic::Model& model, const Options& options, const gpu::Device& device);

  /// Steps taken by members are told to `go_on`, which returns false to stop.
  using Listener = std::function<bool(std::uint64_t steps)>;

  /// Runs blocks in parts as large as the device has room for, and hands over what comes to its end.
  void run(std::span<const Block> blocks, std::span<Sink* const> sinks, const Done& done, const Listener& go_on);

  /// Said once: how the run was made to fit; empty where it fitted.
  const std::string& notice() const { return notice_; }

 private:
  class Part;
  const symbolic::Model& model_;
  const Options& options_;
  const gpu::Device& device_;
  codegen::Routine routine_;
  DeviceStep step_;
  std::vector<T> uniforms_;
  std::string notice_;
};

}  // namespace gfdt::simulate

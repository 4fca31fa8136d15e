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

/// Runs burn-in and sampling of blocks on a device, all in parallel. Members, random numbers and order of steps are the
/// same as on the host; results agree up to rounding.
template <class T>
class DeviceRun {
 public:
  DeviceRun(const symbolic::Model& model, const Options& options, const gpu::Device& device);

  /// Receives the number of member steps taken; returns false to stop the run.
  using Listener = std::function<bool(std::uint64_t steps)>;

  /// Runs the blocks in parts as large as device memory permits and passes completed parts to `done`. Throws Error if
  /// not even one block fits.
  void run(std::span<const Block> blocks, std::span<Sink* const> sinks, const Done& done, const Listener& go_on);

  /// Note on how the run was divided to fit into memory; empty if it was not.
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

#pragma once

#include <span>
#include <string>
#include <vector>

#include "gfdt/gpu/driver/device.hpp"
#include "gfdt/gpu/network/program.hpp"

namespace gfdt::gpu {

/// A network as passed to kernels (network_pass.cuh).
struct KernelNetwork {
  Address operations, benches, parameters, clocks;
  unsigned count, bench_size, companions, capacity;
  unsigned inputs, outputs, output, targets, weights, parameter_count;
};

/// A network in device memory: operations, parameters, and the workspace of `groups` thread groups, each for `samples`
/// samples at a time.
class Placement {
 public:
  Placement(const Device& device, const network::Architecture& architecture, int samples, unsigned groups);

  const Program& program() const { return program_; }
  unsigned groups() const { return groups_; }
  unsigned samples() const { return samples_; }
  /// Number of groups that this number of samples keeps busy.
  unsigned groups_for(std::size_t samples) const;
  std::size_t group_bytes() const { return program_.group_bytes(static_cast<int>(samples_)); }

  void set_parameters(std::span<const float> parameters);
  std::vector<float> parameters() const;
  KernelNetwork network() const;

 private:
  const Device& device_;
  Program program_;
  unsigned samples_, groups_;
  Memory operations_, benches_, parameters_;
};

/// Reason why a network cannot run on a GPU of this machine; empty if it can.
std::string missing_for(const network::Architecture& architecture);

}  // namespace gfdt::gpu

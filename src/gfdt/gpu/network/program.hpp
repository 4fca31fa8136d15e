#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gfdt/network/architecture.hpp"

namespace gfdt::gpu {

/// Warps of a thread group.
inline constexpr int warps = 8;

/// How a product with weights is cut to fit into the shared memory of a thread group.
struct Cut {
  int across_bits = 0;  ///< 2^this tiles of columns at a time
  int depth_bits = 5;   ///< and 2^this numbers of the inner dimension
  int taps_at_once = 1;
};

/// One step of a network, as the kernels know it (layers.cuh): a convolution with a Swish after it, a group norm with a
/// Swish after it, or a join. Places count numbers for one sample from the beginning of a group's memory; derivatives
/// lie in `Program::companions` numbers more.
struct Operation {
  enum Kind : int { convolution = 0, activation = 1, join = 2 };
  static constexpr unsigned nowhere = 0xffffffffu;

  int kind = convolution;
  int sites = 1;  ///< of the output
  int in_channels = 1, out_channels = 1, taps = 1, lead = 0;
  int unfolded = 1;  ///< taps whose channels are taken as one row: all or one
  int swish = 0, groups = 0;
  int accumulate = 0;  ///< whether a join has already put its share into the gradient
  int first = 0;       ///< no gradient by its input is wanted
  Cut forward, backward;
  unsigned in = 0, out = 0, after = nowhere, skip = nowhere, kept = nowhere;
  unsigned slope = nowhere;  ///< what the Swish was taken of that gave the input
  unsigned in_gradient = 0;  ///< where the gradient by the input goes: by what `slope` says where there is such
  unsigned parameters = 0;
};

/// A network as the kernels run it.
struct Program {
  std::vector<Operation> operations;
  unsigned size = 0;        ///< of the memory for one sample
  unsigned companions = 0;  ///< where the derivatives begin
  unsigned inputs = 0, outputs = 0;
  unsigned output = 0, targets = 0, weights = 0;
  unsigned parameters = 0;  ///< each layer's begin on a multiple of 32
  struct Piece {
    std::size_t host, device, count;
  };
  std::vector<Piece> pieces;  ///< of the parameters, as the host and as the device has them
  std::vector<double> tiles;  ///< that the products of one sample have, layer by layer

  std::size_t host_parameters() const { return pieces.empty() ? 0 : pieces.back().host + pieces.back().count; }
  void to_device(std::span<const float> host, std::span<float> device) const;
  void to_host(std::span<const float> device, std::span<float> host) const;

  /// Shared memory that a group needs which works on so many samples together.
  std::size_t group_bytes(int samples) const;
  /// Samples for a group to work on: so many that its warps have a tile each, from `least` to `most` where `bytes` of
  /// shared memory suffice; 0 where not even one fits.
  int best_samples(int least, int most, std::size_t bytes) const;
};

Program program_of(const network::Architecture& architecture);

/// The code of the kernels that train, and of those that evaluate. `precise`: products in single precision, else with
/// operands of ten bits of mantissa. `neighbours`: groups that are to find room on one multiprocessor.
std::string training_source(bool precise, int neighbours);
std::string evaluation_source(bool precise, int neighbours);

}  // namespace gfdt::gpu

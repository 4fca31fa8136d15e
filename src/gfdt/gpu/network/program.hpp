#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gfdt/network/architecture.hpp"

namespace gfdt::gpu {

/// Warps per thread group.
inline constexpr int warps = 8;

/// Division of a product with weights into pieces that fit into the shared memory of a thread group.
struct Cut {
  int across_bits = 0;  ///< 2^across_bits tiles of columns at a time
  int depth_bits = 5;   ///< 2^depth_bits numbers of the inner dimension at a time
  int taps_at_once = 1;
};

/// An operation of a network, as in layers.cuh: a convolution or a group normalization, each with an optional Swish, or
/// a join. Places count numbers per sample from the start of a group's memory; derivatives are stored
/// `Program::companions` numbers further on.
struct Operation {
  enum Kind : int { convolution = 0, activation = 1, join = 2 };
  static constexpr unsigned nowhere = 0xffffffffu;

  int kind = convolution;
  int sites = 1;  ///< sites of the output
  int in_channels = 1, out_channels = 1, taps = 1, lead = 0;
  int unfolded = 1;  ///< number of taps whose channels form one row: all or one
  int swish = 0, groups = 0;
  int accumulate = 0;  ///< whether a join has already contributed to the gradient
  int first = 0;       ///< the gradient with respect to the input is not needed
  Cut forward, backward;
  unsigned in = 0, out = 0, after = nowhere, skip = nowhere, kept = nowhere;
  unsigned slope = nowhere;  ///< place of the argument of the Swish that produced the input
  unsigned in_gradient = 0;  ///< place of the gradient with respect to the input, or with respect to `slope` if set
  unsigned parameters = 0;
};

/// A network in the form that the kernels execute.
struct Program {
  std::vector<Operation> operations;
  unsigned size = 0;        ///< numbers per sample
  unsigned companions = 0;  ///< first place of the derivatives
  unsigned inputs = 0, outputs = 0;
  unsigned output = 0, targets = 0, weights = 0;
  unsigned parameters = 0;  ///< number of parameters; those of each layer are aligned to 32
  struct Piece {
    std::size_t host, device, count;
  };
  std::vector<Piece> pieces;  ///< parameters in host and device order
  std::vector<double> tiles;  ///< tiles per sample of the products, by layer

  std::size_t host_parameters() const { return pieces.empty() ? 0 : pieces.back().host + pieces.back().count; }
  void to_device(std::span<const float> host, std::span<float> device) const;
  void to_host(std::span<const float> device, std::span<float> host) const;

  /// Shared memory in bytes that a group needs to process this number of samples together.
  std::size_t group_bytes(int samples) const;
  /// Number of samples per group such that each of its warps has a tile, between `least` and `most` as far as `bytes`
  /// of shared memory permit; 0 if not even one sample fits.
  int best_samples(int least, int most, std::size_t bytes) const;
};

/// The program of a network. Throws Error if the layers are not compatible.
Program program_of(const network::Architecture& architecture);

/// Source of the kernels for training and for evaluation. `precise`: products in single precision, otherwise operands
/// are rounded to a mantissa of ten bits. `neighbours`: thread groups per multiprocessor.
std::string training_source(bool precise, int neighbours);
std::string evaluation_source(bool precise, int neighbours);

}  // namespace gfdt::gpu

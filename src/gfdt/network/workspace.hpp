#pragma once

#include <vector>

#include "gfdt/codegen/program/aligned_array.hpp"

namespace gfdt::network {

using codegen::AlignedArray;

/// Working memory of a thread for a few samples at a time; created by Network::workspace. `companion` holds
/// derivatives: of the values in a direction (tangent), or of the loss with respect to the values (backward).
template <class T>
struct Workspace {
  int capacity = 0;
  int samples = 0;                                ///< samples of the last forward pass
  std::vector<AlignedArray<T>> value, companion;  ///< per tensor
  std::vector<AlignedArray<T>> slope;             ///< per operation: derivatives of its activation
  std::vector<AlignedArray<T>> kept;              ///< per operation: data of the forward pass for the backward pass
  std::vector<AlignedArray<T>> gradient;          ///< per operation: accumulated over backward passes
  AlignedArray<T> scratch[2];                     ///< shared by all operations
};

}  // namespace gfdt::network

#pragma once

#include <vector>

#include "gfdt/codegen/program/aligned_array.hpp"

namespace gfdt::network {

using codegen::AlignedArray;

/// Memory of one thread that works on a few samples at a time; made by Network::workspace, which knows its parts.
/// `companion` holds derivatives of the values along a direction (tangent) or of a loss by them (backward).
template <class T>
struct Workspace {
  int capacity = 0;
  int samples = 0;                                ///< of the last forward
  std::vector<AlignedArray<T>> value, companion;  ///< a tensor
  std::vector<AlignedArray<T>> slope;             ///< an operation: derivatives of its activation
  std::vector<AlignedArray<T>> kept;              ///< an operation: from forward for the way back
  std::vector<AlignedArray<T>> gradient;          ///< an operation: added up over backward passes
  AlignedArray<T> scratch[2];                     ///< of whichever operation is at work
};

}  // namespace gfdt::network

// Compiled once for each instruction set. A block of points descends the tree in lockstep, so that the compiler can use
// gather instructions to read nodes.
#include "gfdt/codegen/lanes/independent.hpp"

namespace gfdt::score::GFDT_LANES_NAMESPACE {
namespace {

constexpr int block = 64;

template <int dimension>
inline __attribute__((always_inline)) void descend_block(int depth, const float* weights, int nodes,
                                                         const float* threshold, const int* child, const float* rows,
                                                         long stride, int points, int* node) {
  for (int level = 0; level < depth; ++level) {
    GFDT_LANES_INDEPENDENT
    for (int i = 0; i < points; ++i) {
      const int n = node[i];
      float projection = weights[n] * rows[i];
#pragma GCC unroll 8
      for (int c = 1; c < dimension; ++c) projection += weights[c * nodes + n] * rows[c * stride + i];
      node[i] = child[n] + (projection > threshold[n] ? 1 : 0);
    }
  }
}

inline __attribute__((always_inline)) void descend_any(int dimension, int depth, const float* weights, int nodes,
                                                       const float* threshold, const int* child, const float* rows,
                                                       long stride, int points, int* node) {
  for (int level = 0; level < depth; ++level) {
    float projection[block] = {};
    for (int c = 0; c < dimension; ++c) {
      const float* weight = weights + static_cast<long>(c) * nodes;
      GFDT_LANES_INDEPENDENT
      for (int i = 0; i < points; ++i) projection[i] += weight[node[i]] * rows[c * stride + i];
    }
    GFDT_LANES_INDEPENDENT
    for (int i = 0; i < points; ++i) node[i] = child[node[i]] + (projection[i] > threshold[node[i]] ? 1 : 0);
  }
}

}  // namespace

/// The final nodes of `count` points (a multiple of 16) that start at node 0; see BisectingTree.
void descend(int dimension, int depth, const float* weights, int nodes, const float* threshold, const int* child,
             const float* rows, long stride, long count, int* node) {
  for (long first = 0; first < count; first += block) {
    const int points = count - first < block ? static_cast<int>(count - first) : block;
    const float* x = rows + first;
    int* to = node + first;
    for (int i = 0; i < points; ++i) to[i] = 0;
    switch (dimension) {
      case 1:
        descend_block<1>(depth, weights, nodes, threshold, child, x, stride, points, to);
        break;
      case 2:
        descend_block<2>(depth, weights, nodes, threshold, child, x, stride, points, to);
        break;
      case 3:
        descend_block<3>(depth, weights, nodes, threshold, child, x, stride, points, to);
        break;
      case 4:
        descend_block<4>(depth, weights, nodes, threshold, child, x, stride, points, to);
        break;
      default:
        descend_any(dimension, depth, weights, nodes, threshold, child, x, stride, points, to);
    }
  }
}

}  // namespace gfdt::score::GFDT_LANES_NAMESPACE

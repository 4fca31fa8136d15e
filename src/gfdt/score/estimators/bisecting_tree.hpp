#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gfdt::score {

/// A partition of space by a tree of 2-means splits. The part with the most points is split, by Lloyd's algorithm from
/// two centres along its direction of largest variance, until the requested number of leaves is reached. Both sides of
/// a split contain points. A part with identical points is not split, so there may be fewer leaves. The result is a
/// pure function of the points.
class BisectingTree {
 public:
  /// `points`: [point][component].
  BisectingTree(std::span<const float> points, int dimension, int leaves);

  int dimension() const { return dimension_; }
  int leaves() const { return leaves_; }
  int depth() const { return depth_; }

  /// The index of the leaf that contains x.
  int leaf_of(const float* x) const;

  /// The leaves of `count` points in rows: component c of point i is rows[c·stride + i]. `count` must be a multiple of
  /// 16.
  void leaves_of(const float* rows, std::size_t stride, std::size_t count, std::int32_t* leaf) const;

 private:
  // From a node, a point moves to the node child + [w·x > threshold]; the condition is true if x is closer to the
  // second centre. A leaf has w = 0 and is its own child, so that every descent takes `depth` steps without branches.
  int dimension_;
  int leaves_ = 1;
  int depth_ = 0;
  std::vector<float> weights_;  ///< [component][node]
  std::vector<float> threshold_;
  std::vector<std::int32_t> child_;
  std::vector<std::int32_t> leaf_;  ///< index of the leaf, for nodes that are leaves
};

}  // namespace gfdt::score

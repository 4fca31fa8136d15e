#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gfdt::score {

/// A partition of space by a tree of 2-means splits. The fullest part is split, by Lloyd's algorithm from two centres
/// along its direction of largest variance, until there are as many leaves as asked for. No split leaves a side
/// without points; points that are all the same are not split, so that there may be fewer leaves. A pure function of
/// the points.
class BisectingTree {
 public:
  /// Points [point][component].
  BisectingTree(std::span<const float> points, int dimension, int leaves);

  int dimension() const { return dimension_; }
  int leaves() const { return leaves_; }
  int depth() const { return depth_; }

  /// The leaf, counted from 0, that holds x.
  int leaf_of(const float* x) const;

  /// The leaves of `count` points in rows, component c of point i at rows[c·stride + i]. The count is a multiple of 16.
  void leaves_of(const float* rows, std::size_t stride, std::size_t count, std::int32_t* leaf) const;

 private:
  // A point goes on to the node child + [w·x > threshold], w·x being nearer to the second centre. A leaf has w = 0 and
  // itself for a child, so that every descent takes `depth` steps and none needs a branch.
  int dimension_;
  int leaves_ = 1;
  int depth_ = 0;
  std::vector<float> weights_;  ///< [component][node]
  std::vector<float> threshold_;
  std::vector<std::int32_t> child_;
  std::vector<std::int32_t> leaf_;  ///< of a node that is one
};

}  // namespace gfdt::score

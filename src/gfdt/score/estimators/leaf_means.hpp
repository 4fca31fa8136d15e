#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gfdt/score/estimators/bisecting_tree.hpp"

namespace gfdt::score {

/// How samples x̂ are perturbed, x = x̂ + σz, and for how long.
struct Perturbing {
  double noise = 0.1;       ///< σ
  int passes = 20;          ///< over all samples, at most
  double tolerance = 0.02;  ///< of `change`, below which the means have settled
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all there are
};

/// Averages of z and of x over the leaves of a tree. E[z | x] = −σ∇log ρ_σ(x), where ρ_σ is the density of x.
struct LeafMeans {
  int dimension = 0;
  std::vector<double> count;     ///< [leaf] of perturbed samples
  std::vector<double> noise;     ///< [leaf][component] mean of z; 0 in an empty leaf
  std::vector<double> centroid;  ///< [leaf][component] mean of x; 0 in an empty leaf
  int passes = 0;
  /// Of the means of z in the last pass: √(Σ n |m − m_before|² / Σ n |m|²) over the leaves. Infinite after one pass.
  double change = 0;
  bool settled = false;
};

/// Passes over all samples x̂ [sample][component] with fresh noise in each, +z and −z for every sample, so that the
/// noise of a sample well inside its leaf cancels. The result is the same on any number of threads.
LeafMeans leaf_means(const BisectingTree& tree, std::span<const float> samples, const Perturbing& perturbing);

/// Every `stride`-th sample with noise added, for the tree to be grown on.
std::vector<float> perturbed(std::span<const float> samples, int dimension, std::size_t stride, double noise,
                             std::uint64_t seed);

}  // namespace gfdt::score

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gfdt/score/estimators/bisecting_tree.hpp"

namespace gfdt::score {

/// Options for the perturbation of samples x̂, x = x̂ + σz.
struct Perturbing {
  double noise = 0.1;       ///< σ
  int passes = 20;          ///< maximum number of passes over all samples
  double tolerance = 0.02;  ///< convergence threshold for `change`
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all available
};

/// Averages of z and of x over the leaves of a tree. E[z | x] = −σ∇log ρ_σ(x), where ρ_σ is the density of x.
struct LeafMeans {
  int dimension = 0;
  std::vector<double> count;     ///< [leaf] number of perturbed samples
  std::vector<double> noise;     ///< [leaf][component] mean of z; 0 in an empty leaf
  std::vector<double> centroid;  ///< [leaf][component] mean of x; 0 in an empty leaf
  int passes = 0;
  /// Relative change of the means of z in the last pass: √(Σ n |m − m_before|² / Σ n |m|²) over the leaves. Infinite
  /// after one pass.
  double change = 0;
  bool settled = false;
};

/// Makes passes over all samples x̂ [sample][component] with independent noise in each. Every sample is used with +z
/// and −z, so that its noise cancels if it is well inside a leaf. The result does not depend on the number of threads.
LeafMeans leaf_means(const BisectingTree& tree, std::span<const float> samples, const Perturbing& perturbing);

/// Every `stride`-th sample with noise added, for the construction of the tree.
std::vector<float> perturbed(std::span<const float> samples, int dimension, std::size_t stride, double noise,
                             std::uint64_t seed);

}  // namespace gfdt::score

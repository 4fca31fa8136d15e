#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/score/estimators/fit.hpp"
#include "gfdt/score/estimators/samples.hpp"

namespace gfdt::score {

/// More have too much room for leaves to fill.
inline constexpr int most_kgmm_dimensions = 10;

/// K-means Gaussian mixture modelling: averages of the noise over the leaves of a tree, then a network through them.
/// Lengths are in units of the standard deviations of the samples.
struct KgmmOptions {
  std::optional<double> noise = {};      ///< σ; see default_noise
  int leaves = 0;                        ///< 0: see default_leaves
  int passes = 20;                       ///< over all samples, at most
  double tolerance = 0.02;               ///< of the change of the means of the noise in a pass; see LeafMeans
  std::size_t tree_subsample = 200'000;  ///< samples that the tree is grown on, at most
  std::vector<int> hidden = {30, 30, 30};
  /// The network is fitted beside the score of the Gaussian with the covariance of the samples, which it need not
  /// learn.
  bool gaussian_part = true;
  /// Two noise levels, σ and 2σ, and the score (4 s_σ − s_2σ)/3: without the bias of order σ².
  bool extrapolate = true;
  /// Its seed and threads are those below. Without validation: the scatter of the samples is
  /// shared by neighbouring leaves, so that leaves that are held out do not show it.
  network::TrainingOptions training = {.epochs = 200, .validation = 0};
  std::uint64_t seed = 1;
  int threads = 0;      ///< 0: all there are
  bool device = false;  ///< train on a GPU

  /// What is wrong with these options, as a sentence; empty when nothing is.
  std::string problem() const;
};

/// 0.08 (10⁶/samples)^0.09: measured on laws with one to three dimensions and several hills, 10⁴ to 10⁶ samples. Less
/// noise lets the scatter of the samples through, more blurs the wells of a double well.
double default_noise(std::size_t samples);

/// One for ten samples, at most 4096: measured, more make no better score and fewer a worse one.
int default_leaves(std::size_t samples);

struct KgmmFit : Fit {
  int leaves = 0;
  int passes = 0;
  double change = 0;     ///< of the means of the noise in the last pass, see LeafMeans
  bool settled = false;  ///< before the passes were used up
};

/// Throws Error where the options are no good or the samples are fewer than ten a leaf. `start`, when given, is a
/// network of an earlier fit to begin from.
KgmmFit fit_kgmm(const Samples& samples, const KgmmOptions& options, const network::Network<float>* start = nullptr,
                 const ProgressListener& progress = {}, const Cancellation* cancellation = nullptr);

}  // namespace gfdt::score

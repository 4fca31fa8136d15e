#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/score/estimators/fit.hpp"
#include "gfdt/score/estimators/samples.hpp"

namespace gfdt::score {

/// In more dimensions, too many leaves would be needed to fill the space.
inline constexpr int most_kgmm_dimensions = 10;

/// K-means Gaussian mixture modelling: averages the noise over the leaves of a tree and fits a network to these
/// averages. Lengths are in units of the standard deviations of the samples.
struct KgmmOptions {
  std::optional<double> noise = {};      ///< σ; see default_noise
  int leaves = 0;                        ///< 0: see default_leaves
  int passes = 20;                       ///< maximum number of passes over all samples
  double tolerance = 0.02;               ///< convergence threshold for the means of the noise; see LeafMeans
  std::size_t tree_subsample = 200'000;  ///< maximum number of samples from which the tree is built
  std::vector<int> hidden = {30, 30, 30};
  /// Whether the network is fitted to the difference from the score of the Gaussian with the covariance of the samples,
  /// so that it need not learn the Gaussian part.
  bool gaussian_part = true;
  /// Whether to use two noise levels, σ and 2σ, and the score (4 s_σ − s_2σ)/3, which has no bias of order σ².
  bool extrapolate = true;
  /// `seed` and `threads` are replaced by those below. There is no validation set, because neighbouring leaves share
  /// the scatter of the samples, so that held-out leaves do not reveal overfitting.
  network::TrainingOptions training = {.epochs = 200, .validation = 0};
  std::uint64_t seed = 1;
  int threads = 0;      ///< 0: all available
  bool device = false;  ///< train on a GPU

  /// A sentence that describes the first error in these options; empty if there is none.
  std::string problem() const;
};

/// 0.08 (10⁶/samples)^0.09. This fit was measured on multimodal distributions in one to three dimensions, with 10⁴ to
/// 10⁶ samples. A lower level passes on the scatter of the samples; a higher one blurs the wells of a double well.
double default_noise(std::size_t samples);

/// One per ten samples, at most 4096. In measurements, more leaves did not improve the score and fewer made it worse.
int default_leaves(std::size_t samples);

struct KgmmFit : Fit {
  int leaves = 0;
  int passes = 0;
  double change = 0;     ///< relative change of the means of the noise in the last pass, see LeafMeans
  bool settled = false;  ///< whether the means converged before the maximum number of passes
};

/// Throws Error if the options are invalid or if there are fewer than ten samples per leaf. `start` is an optional
/// network of an earlier fit from which training starts.
KgmmFit fit_kgmm(const Samples& samples, const KgmmOptions& options, const network::Network<float>* start = nullptr,
                 const ProgressListener& progress = {}, const Cancellation* cancellation = nullptr);

}  // namespace gfdt::score

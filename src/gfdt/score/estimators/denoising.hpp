#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gfdt/score/estimators/fit.hpp"
#include "gfdt/score/estimators/normalisation.hpp"
#include "gfdt/score/estimators/samples.hpp"

namespace gfdt::score {

enum class NetworkKind {
  mlp,    ///< dense layers on the whole state
  patch,  ///< one network shared by the sites of a ring, on a window of neighbours
  unet,   ///< convolutions over the ring at three resolutions
};

/// Denoising score matching (P. Vincent, Neural Computation 23, 2011): a network learns −z/σ from x̂ + σz, of which
/// it finds the mean, ŝ. Lengths are in units of the standard deviations of the samples.
struct DenoisingOptions {
  double noise = 0.05;  ///< σ
  NetworkKind kind = NetworkKind::mlp;
  std::vector<int> hidden = {};  ///< empty: see default_hidden
  int radius = 9;                ///< of a patch, in sites to each side
  int base = 32;                 ///< channels at the top of a U-Net
  /// Its seed and threads are those below. Without validation: the noise of a validation loss
  /// is larger than what epochs differ by.
  network::TrainingOptions training = {.batch = 128, .epochs = 20, .validation = 0};
  int probes = 10;  ///< for entries of the Jacobian, where the network does not give them exactly
  std::uint64_t seed = 1;
  int threads = 0;      ///< 0: all there are
  bool device = false;  ///< train on a GPU

  /// What is wrong with these options, as a sentence; empty when nothing is.
  std::string problem() const;
};

/// Samples x̂ + σz with targets −z/σ, so that what is learnt is of order 1. The noise is a pure function of (seed,
/// round, example). Of the examples asked for together the first half comes with +z, and again with −z in place of the
/// second half: the part of the gradient that is odd in z, 1/σ times larger than the rest, cancels in each pair. `turn`
/// moves examples by a random number of sites around the ring, for networks that are not equivariant to all shifts.
class DenoisingExamples : public network::Examples {
 public:
  DenoisingExamples(const Samples& samples, const Arrangement& arrangement, const Normalisation& normalisation,
                    double noise, bool turn, std::uint64_t seed);

  std::size_t size() const override { return count_; }
  void get(std::span<const std::uint32_t> examples, std::uint32_t round, float* inputs, float* targets,
           float* weights) const override;
  std::optional<network::ExampleTable> table() const override;

 private:
  Arrangement arrangement_;
  std::size_t count_;
  std::vector<float> points_;  ///< [sample][site][field]
  float noise_;
  bool turn_;
  std::uint64_t noise_seed_, turn_seed_;
};

/// Widths of the hidden layers: three of 64 units in an MLP, three of 128 in a patch.
std::vector<int> default_hidden(NetworkKind kind);

network::Architecture architecture_of(const DenoisingOptions& options, const Arrangement& arrangement);

/// Passes over the samples that take about as long whatever their number: 2·10⁷ visits to samples by an MLP, 2·10⁶ by a
/// patch, 10⁶ by a U-Net; 100 at most.
int default_epochs(NetworkKind kind, std::size_t samples);

struct DenoisingFit : Fit {
  Normalisation normalisation;
  std::size_t parameters = 0;
};

/// Throws Error where the options are no good, the ring does not suit the network, or there are fewer samples (on a
/// ring: sites of samples) than the network has parameters. `start`, when given, is a network of an earlier
/// fit to begin from.
DenoisingFit fit_denoising(const Samples& samples, const DenoisingOptions& options,
                           const network::Network<float>* start = nullptr, const ProgressListener& progress = {},
                           const Cancellation* cancellation = nullptr);

}  // namespace gfdt::score

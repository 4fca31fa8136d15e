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
  patch,  ///< one network shared by the sites of a ring, applied to a window of neighbours
  unet,   ///< convolutions over the ring at three resolutions
};

/// Denoising score matching (P. Vincent, Neural Computation 23, 2011). A network is trained to predict −z/σ from x̂ +
/// σz; it converges to the conditional mean, which is ŝ. Lengths are in units of the standard deviations of the
/// samples.
struct DenoisingOptions {
  double noise = 0.05;  ///< σ
  NetworkKind kind = NetworkKind::mlp;
  std::vector<int> hidden = {};  ///< widths of the hidden layers; empty: see default_hidden
  int radius = 9;                ///< half width of the window of a patch, in sites
  int base = 32;                 ///< channels at the top of a U-Net
  /// `seed` and `threads` are replaced by those below. There is no validation set, because the noise of a validation
  /// loss exceeds the differences between epochs.
  network::TrainingOptions training = {.batch = 128, .epochs = 20, .validation = 0};
  int probes = 10;  ///< for entries of the Jacobian that the network does not provide exactly
  std::uint64_t seed = 1;
  int threads = 0;      ///< 0: all available
  bool device = false;  ///< train on a GPU

  /// A sentence that describes the first error in these options; empty if there is none.
  std::string problem() const;
};

/// Samples x̂ + σz with targets −z/σ, for which the learned function is of order 1. The noise is a pure function of
/// (seed, round, example). The second half of a requested batch repeats the first half with −z in place of +z: the part
/// of the gradient that is odd in z, which is 1/σ times larger than the rest, cancels in each pair. `turn` shifts
/// examples by a random number of sites around the ring, for networks that are not equivariant to all shifts.
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

/// A number of epochs for which the training time hardly depends on the number of samples: 2·10⁷ visits to samples for
/// an MLP, 2·10⁶ for a patch, 10⁶ for a U-Net; at most 100 epochs.
int default_epochs(NetworkKind kind, std::size_t samples);

struct DenoisingFit : Fit {
  Normalisation normalisation;
  std::size_t parameters = 0;
};

/// Throws Error if the options are invalid, if the network does not fit the ring, or if there are fewer samples (on a
/// ring: sites of samples) than network parameters. `start` is an optional network of an earlier fit from which
/// training starts.
DenoisingFit fit_denoising(const Samples& samples, const DenoisingOptions& options,
                           const network::Network<float>* start = nullptr, const ProgressListener& progress = {},
                           const Cancellation* cancellation = nullptr);

}  // namespace gfdt::score

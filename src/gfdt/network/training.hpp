#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gfdt/base/progress.hpp"
#include "gfdt/network/network.hpp"
#include "gfdt/parallel/parcel.hpp"

namespace gfdt::network {

struct TrainingOptions {
  int batch = 32;
  int epochs = 200;          ///< passes over the training examples
  double rate = 1e-3;        ///< Adam's learning rate after the warm-up
  double warm_up = 0.02;     ///< fraction of the steps in which the rate increases from 0
  double final_rate = 0.01;  ///< final rate of the cosine schedule, as a fraction of `rate`
  double validation = 0.1;   ///< fraction of the examples used for validation; 0 for none
  int patience = 0;          ///< epochs without a lower validation loss after which training stops; 0: never
  std::uint64_t seed = 1;
  int threads = 0;      ///< 0: all available threads
  bool device = false;  ///< use a GPU if possible; see gpu::train

  /// Description of the first invalid option, as a sentence; empty if all are valid.
  std::string problem() const;
};

/// Examples as arrays, for a device that reads them from its own memory: inputs with targets and weights or, with
/// `noise` σ > 0, inputs to which noise z is added, with target −z/σ (score::DenoisingExamples). The data must outlive
/// this object.
struct ExampleTable {
  std::span<const float> inputs;   ///< [example][input]
  std::span<const float> targets;  ///< [example][output]
  std::span<const float> weights;  ///< [example]
  float noise = 0;
  bool turn = false;  ///< shift examples by a random number of sites on a ring of `sites` with `fields` numbers each
  int sites = 1, fields = 1;
  std::uint64_t noise_seed = 0, turn_seed = 0;
};

/// Training examples with inputs, targets and weights. The loss is Σ w |y − target|² / (outputs Σ w). `round` counts
/// the passes over all examples, so that a source may generate new noise in each; validation uses the round
/// `validation_round`. Called concurrently from several threads.
class Examples {
 public:
  static constexpr std::uint32_t validation_round = 0xffffffff;
  virtual ~Examples() = default;
  virtual std::size_t size() const = 0;
  /// Writes inputs [example][input], targets [example][output] and weights [example] of the examples with these
  /// indices.
  virtual void get(std::span<const std::uint32_t> examples, std::uint32_t round, float* inputs, float* targets,
                   float* weights) const = 0;
  /// The same as arrays; nothing if the examples are available only from `get`.
  virtual std::optional<ExampleTable> table() const { return {}; }
};

enum class TrainingStatus {
  done,           ///< all epochs completed
  stopped_early,  ///< the validation loss no longer decreased
  diverged,       ///< the loss diverged, also with a smaller rate
  cancelled,
};

/// Result of a training.
struct Training {
  TrainingStatus status = TrainingStatus::done;
  bool retried = false;                 ///< whether a first attempt diverged
  double rate = 0;                      ///< learning rate of the last attempt
  std::vector<double> loss;             ///< mean over each epoch
  std::vector<double> validation_loss;  ///< after each epoch; empty without validation
  double best_loss = 0;                 ///< of the parameters that were kept: validation loss, or training loss if none
  int best_epoch = 0;
  std::uint64_t steps = 0;
  double wall_seconds = 0;
};

void pack(const Training& training, Packer& packer);
Training unpack_training(Unpacker& unpacker);

/// Trains a network in place with Adam, a linear warm-up and a cosine schedule. Keeps the parameters of the epoch with
/// the lowest validation loss, or of the last epoch without validation. The result does not depend on the number of
/// threads. Training starts from the current parameters of the network, which permits a warm start. If it diverges, it
/// is repeated once with a third of the rate. With several ranks, the root rank trains on all cores available to it and
/// sends the network to the others. Throws Error if the options are invalid or there are fewer than two examples.
Training train(Network<float>& network, const Examples& examples, const TrainingOptions& options,
               const ProgressListener& progress = {}, const Cancellation* cancellation = nullptr);

class Trainer;

/// The same with a given trainer, which must have the parameters of the network.
Training train(Trainer& trainer, Network<float>& network, std::size_t examples, const TrainingOptions& options,
               const ProgressListener& progress, const Cancellation* cancellation);

}  // namespace gfdt::network

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
  int epochs = 200;          ///< passes over the examples that are trained on
  double rate = 1e-3;        ///< Adam's step after the warm-up
  double warm_up = 0.02;     ///< share of the steps in which the rate rises from 0
  double final_rate = 0.01;  ///< where the cosine ends, as a share of `rate`
  double validation = 0.1;   ///< share of the examples kept for validation; 0 for none
  int patience = 0;          ///< epochs without a better validation loss until training stops; 0: never
  std::uint64_t seed = 1;
  int threads = 0;      ///< 0: all there are
  bool device = false;  ///< on a GPU; see gpu::train

  /// What is wrong with these options, as a sentence; empty when nothing is.
  std::string problem() const;
};

/// Examples as numbers, for a device that takes them from its own memory: inputs with targets and weights, or with
/// `noise` σ > 0 inputs to which z is added, the target being −z/σ (score::DenoisingExamples). All spans must live on.
struct ExampleTable {
  std::span<const float> inputs;   ///< [example][input]
  std::span<const float> targets;  ///< [example][output]
  std::span<const float> weights;  ///< [example]
  float noise = 0;
  bool turn = false;  ///< by a random number of sites around a ring of `sites` with `fields` numbers each
  int sites = 1, fields = 1;
  std::uint64_t noise_seed = 0, turn_seed = 0;
};

/// What a network is to learn: examples with inputs, targets and weights, loss Σ w |y − target|² / (outputs Σ w).
/// `round` counts the visits to all examples, so that a source may give fresh noise at each; validation asks for the
/// round `validation_round`. Called from several threads at once.
class Examples {
 public:
  static constexpr std::uint32_t validation_round = 0xffffffff;
  virtual ~Examples() = default;
  virtual std::size_t size() const = 0;
  /// inputs [example][input], targets [example][output], weights [example], for the examples with these numbers.
  virtual void get(std::span<const std::uint32_t> examples, std::uint32_t round, float* inputs, float* targets,
                   float* weights) const = 0;
  /// The same as numbers; none where only `get` knows them.
  virtual std::optional<ExampleTable> table() const { return {}; }
};

enum class TrainingStatus {
  done,           ///< all epochs
  stopped_early,  ///< the validation loss stopped falling
  diverged,       ///< the loss became absurd, also with a smaller rate
  cancelled,
};

struct Training {
  TrainingStatus status = TrainingStatus::done;
  bool retried = false;                 ///< whether a first attempt diverged
  double rate = 0;                      ///< that it ended with
  std::vector<double> loss;             ///< mean over each epoch
  std::vector<double> validation_loss;  ///< after each epoch; empty without validation
  double best_loss = 0;                 ///< of the parameters that were kept: validation loss, or loss without one
  int best_epoch = 0;
  std::uint64_t steps = 0;
  double wall_seconds = 0;
};

void pack(const Training& training, Packer& packer);
Training unpack_training(Unpacker& unpacker);

/// Trains in place by Adam with a linear warm-up and a cosine, and keeps the parameters of the epoch
/// with the lowest validation loss, or of the last without validation. The result
/// is the same on any number of threads. Starts from the parameters that the network has: those of an earlier fit make
/// a warm start. Training that diverges is tried once more with a third of the rate. Of several ranks the first trains,
/// on all cores of its machine that it may use, and the others get its network.
Training train(Network<float>& network, const Examples& examples, const TrainingOptions& options,
               const ProgressListener& progress = {}, const Cancellation* cancellation = nullptr);

class Trainer;

/// The same by a trainer whose parameters are the network's.
Training train(Trainer& trainer, Network<float>& network, std::size_t examples, const TrainingOptions& options,
               const ProgressListener& progress, const Cancellation* cancellation);

}  // namespace gfdt::network

#include "gfdt/network/training.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <numeric>

#include "gfdt/core/crew.hpp"
#include "gfdt/core/error.hpp"
#include "gfdt/core/ranks.hpp"
#include "gfdt/core/threads.hpp"
#include "gfdt/network/kernels.hpp"
#include "gfdt/random/philox.hpp"

namespace gfdt::network {
namespace {

/// Random streams of a training: 0 belongs to Network::initialise.
enum Stream : std::uint32_t { choosing_validation = 1, first_epoch = 2 };

/// By Fisher and Yates; each word of the stream is one choice, with probabilities right to 2⁻³² of the numbers left.
void shuffle(std::span<std::uint32_t> numbers, std::uint64_t seed, std::uint32_t id) {
  const random::Stream stream(seed, random::Purpose::training, id);
  random::Counter words{};
  for (std::size_t i = 0; i + 1 < numbers.size(); ++i) {
    if (i % 4 == 0) words = stream.block(i / 4);
    const std::size_t left = numbers.size() - i;
    std::swap(numbers[left - 1], numbers[words[i % 4] * std::uint64_t{left} >> 32]);
  }
}

/// A sum of squares and what it is to be divided by.
struct Loss {
  double sum = 0;
  double weight = 0;
  double mean() const { return sum / weight; }
  void operator+=(const Loss& other) { sum += other.sum, weight += other.weight; }
};

/// Works on examples in slices that do not depend on the number of threads; each adds up its own gradient.
class Trainer {
 public:
  Trainer(Network<float>& network, const Examples& examples, const TrainingOptions& options)
      : network_(network),
        examples_(examples),
        crew_(options.threads > 0 ? options.threads : available_threads()),
        chunk_(std::min(network.best_samples(), options.batch)),
        stride_(network.padded_parameters().size()),
        mean_(stride_),
        square_(stride_) {
    const Architecture& architecture = network.architecture();
    inputs_ = static_cast<std::size_t>(architecture.inputs());
    outputs_ = static_cast<std::size_t>(architecture.outputs());
    // A slice is worth handing to a thread from a few million operations on.
    constexpr double slice_operations = 4e6;
    constexpr int most_slices = 8;
    const double operations = 3 * architecture.operations() * options.batch;
    slices_ = static_cast<std::size_t>(
        std::clamp(static_cast<int>(operations / slice_operations), 1, std::min(most_slices, options.batch)));
    gradients_ = AlignedArray<float>(slices_ * stride_);
    for (int worker = 0; worker < crew_.size(); ++worker) desks_.push_back(Desk(*this));
    losses_.resize(slices_);
  }

  /// One step of Adam; gives the loss before it.
  Loss step(std::span<const std::uint32_t> batch, std::uint32_t round, double rate, std::uint64_t number) {
    work(batch, round, true);
    const Loss loss = total();
    if (!std::isfinite(loss.sum) || !(loss.weight > 0)) return loss;
    const double correction1 = 1 - std::pow(adam_beta1, static_cast<double>(number));
    const double correction2 = std::sqrt(1 - std::pow(adam_beta2, static_cast<double>(number)));
    constexpr double epsilon = 1e-8;
    crew_.for_each_block(slices_, [&](std::size_t piece, int) {
      const std::size_t units = stride_ / column_unit;
      const std::size_t first = piece * units / slices_ * column_unit,
                        last = (piece + 1) * units / slices_ * column_unit;
      kernels<float>().adam({network_.padded_parameters().data() + first, mean_.data() + first, square_.data() + first,
                             gradients_.data() + first, static_cast<long>(stride_), static_cast<int>(slices_),
                             static_cast<long>(last - first), static_cast<float>(2 / loss.weight),
                             static_cast<float>(rate * correction2 / correction1),
                             static_cast<float>(epsilon * correction2)});
    });
    network_.prepare();
    return loss;
  }

  Loss loss(std::span<const std::uint32_t> examples, std::uint32_t round) {
    work(examples, round, false);
    return total();
  }

  void forget() {
    std::fill_n(mean_.data(), stride_, 0.0f);
    std::fill_n(square_.data(), stride_, 0.0f);
  }

 private:
  /// What one thread works with.
  struct Desk {
    explicit Desk(const Trainer& trainer)
        : workspace(trainer.network_.workspace(trainer.chunk_)),
          inputs(static_cast<std::size_t>(trainer.chunk_) * trainer.inputs_),
          targets(static_cast<std::size_t>(trainer.chunk_) * trainer.outputs_),
          outputs(targets.size()),
          weights(static_cast<std::size_t>(trainer.chunk_)) {}
    std::unique_ptr<Workspace<float>> workspace;
    std::vector<float> inputs, targets, outputs, weights;
  };

  void work(std::span<const std::uint32_t> examples, std::uint32_t round, bool backward) {
    crew_.for_each_block(slices_, [&](std::size_t slice, int worker) {
      const std::size_t first = slice * examples.size() / slices_, last = (slice + 1) * examples.size() / slices_;
      losses_[slice] = run(desks_[static_cast<std::size_t>(worker)], examples.subspan(first, last - first), round,
                           backward ? gradients_.data() + slice * stride_ : nullptr);
    });
  }

  Loss run(Desk& desk, std::span<const std::uint32_t> examples, std::uint32_t round, float* gradient) const {
    Loss result;
    for (std::size_t first = 0; first < examples.size(); first += static_cast<std::size_t>(chunk_)) {
      const auto part = examples.subspan(first, std::min(examples.size() - first, static_cast<std::size_t>(chunk_)));
      const int count = static_cast<int>(part.size());
      examples_.get(part, round, desk.inputs.data(), desk.targets.data(), desk.weights.data());
      network_.forward(*desk.workspace, count, desk.inputs.data(), desk.outputs.data());
      result += differences(desk, part.size());
      if (gradient) network_.backward(*desk.workspace, desk.outputs.data());
    }
    if (gradient) network_.take_gradient(*desk.workspace, gradient);
    return result;
  }

  /// Replaces outputs y by w (y − target).
  Loss differences(Desk& desk, std::size_t count) const {
    Loss result;
    for (std::size_t i = 0; i < count; ++i) {
      const float weight = desk.weights[i];
      float* y = desk.outputs.data() + i * outputs_;
      const float* target = desk.targets.data() + i * outputs_;
      float sum = 0;
      for (std::size_t j = 0; j < outputs_; ++j) {
        const float off = y[j] - target[j];
        sum += off * off;
        y[j] = weight * off;
      }
      result += {static_cast<double>(weight) * static_cast<double>(sum),
                 static_cast<double>(weight) * static_cast<double>(outputs_)};
    }
    return result;
  }

  Loss total() const {
    Loss result;
    for (const Loss& loss : losses_) result += loss;
    return result;
  }

  Network<float>& network_;
  const Examples& examples_;
  Crew crew_;
  int chunk_;
  std::size_t stride_;  ///< of the gradients of slices
  std::size_t inputs_ = 0, outputs_ = 0, slices_ = 1;
  AlignedArray<float> mean_, square_, gradients_;
  std::vector<Desk> desks_;
  std::vector<Loss> losses_;
};

/// Linear rise, then half a cosine down to `final_rate`.
double rate_at(const TrainingOptions& options, double done) {
  if (done < options.warm_up) return options.rate * done / options.warm_up;
  const double phase = (done - options.warm_up) / (1 - options.warm_up);
  return options.rate *
         (options.final_rate + (1 - options.final_rate) * 0.5 * (1 + std::cos(std::numbers::pi * phase)));
}

/// A loss that only a broken training has: not a number, or far above that of the untrained network.
bool absurd(double loss, double first) { return !std::isfinite(loss) || loss > 10 * first; }

struct Attempt {
  Trainer& trainer;
  Network<float>& network;
  const TrainingOptions& options;
  std::span<const std::uint32_t> validation;
  std::span<std::uint32_t> training;
  const ProgressListener& progress;
  const Cancellation* cancellation;

  Training run(double rate_scale) {
    Training result;
    result.rate = options.rate * rate_scale;
    const std::size_t batches = std::max<std::size_t>(
        1, (training.size() + static_cast<std::size_t>(options.batch) / 2) / static_cast<std::size_t>(options.batch));
    const double steps = static_cast<double>(batches) * options.epochs;
    std::vector<float> best;
    trainer.forget();
    const double first_loss = trainer.loss(training.first(std::min<std::size_t>(training.size(), 512)), 0).mean();
    if (!std::isfinite(first_loss)) {
      result.status = TrainingStatus::diverged;
      return result;
    }
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
      shuffle(training, options.seed, first_epoch + static_cast<std::uint32_t>(epoch));
      Loss loss;
      for (std::size_t batch = 0; batch < batches; ++batch) {
        const std::size_t from = batch * training.size() / batches, to = (batch + 1) * training.size() / batches;
        const double done = (static_cast<double>(result.steps) + 0.5) / steps;
        const Loss here = trainer.step(training.subspan(from, to - from), static_cast<std::uint32_t>(epoch),
                                       rate_scale * rate_at(options, done), result.steps + 1);
        ++result.steps;
        if (!std::isfinite(here.sum)) {
          result.status = TrainingStatus::diverged;
          return result;
        }
        loss += here;
        ranks::look_around();
        if (cancellation && cancellation->requested()) {
          result.status = TrainingStatus::cancelled;
          return result;
        }
        if (progress && batch % 256 == 255) progress({"training", static_cast<double>(result.steps) / steps});
      }
      result.loss.push_back(loss.mean());
      double judged = loss.mean();
      if (!validation.empty()) {
        judged = trainer.loss(validation, Examples::validation_round).mean();
        result.validation_loss.push_back(judged);
      }
      if (absurd(judged, first_loss)) {
        result.status = TrainingStatus::diverged;
        return result;
      }
      if (best.empty() || judged < result.best_loss || (validation.empty() && epoch + 1 == options.epochs)) {
        result.best_loss = judged;
        result.best_epoch = epoch;
        best.assign(network.parameters().begin(), network.parameters().end());
      }
      if (progress) progress({"training", static_cast<double>(result.steps) / steps});
      if (options.patience > 0 && epoch - result.best_epoch >= options.patience) {
        result.status = TrainingStatus::stopped_early;
        break;
      }
    }
    std::ranges::copy(best, network.parameters().begin());
    network.prepare();
    return result;
  }
};

Training train_here(Network<float>& network, const Examples& examples, const TrainingOptions& options,
                    const ProgressListener& progress, const Cancellation* cancellation) {
  if (const std::string problem = options.problem(); !problem.empty()) throw Error(problem);
  if (examples.size() < 2) throw Error("A network cannot be trained on fewer than two examples.");
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::uint32_t> numbers(examples.size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  shuffle(numbers, options.seed, choosing_validation);
  const auto kept = static_cast<std::size_t>(options.validation * static_cast<double>(numbers.size()));
  const std::span<std::uint32_t> all(numbers);
  std::ranges::sort(all.first(kept));

  const std::vector<float> initial(network.parameters().begin(), network.parameters().end());
  Trainer trainer(network, examples, options);
  const std::vector<std::uint32_t> order(all.begin() + static_cast<std::ptrdiff_t>(kept), all.end());
  Attempt attempt{trainer, network, options, all.first(kept), all.subspan(kept), progress, cancellation};
  Training result = attempt.run(1);
  if (result.status == TrainingStatus::diverged) {
    std::ranges::copy(initial, network.parameters().begin());
    network.prepare();
    std::ranges::copy(order, attempt.training.begin());
    result = attempt.run(1.0 / 3);
    result.retried = true;
  }
  result.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace

void pack(const Training& training, Packer& packer) {
  packer.put(training.status);
  packer.put(training.retried);
  packer.put(training.rate);
  packer.put(training.loss);
  packer.put(training.validation_loss);
  packer.put(training.best_loss);
  packer.put(training.best_epoch);
  packer.put(training.steps);
  packer.put(training.wall_seconds);
}

Training unpack_training(Unpacker& unpacker) {
  Training training;
  unpacker.get(training.status);
  unpacker.get(training.retried);
  unpacker.get(training.rate);
  unpacker.get(training.loss);
  unpacker.get(training.validation_loss);
  unpacker.get(training.best_loss);
  unpacker.get(training.best_epoch);
  unpacker.get(training.steps);
  unpacker.get(training.wall_seconds);
  return training;
}

Training train(Network<float>& network, const Examples& examples, const TrainingOptions& options,
               const ProgressListener& progress, const Cancellation* cancellation) {
  if (ranks::count() == 1) return train_here(network, examples, options, progress, cancellation);
  const std::string bytes = ranks::from_first("the training of a network", [&] {
    Packer packer;
    pack(train_here(network, examples, options, progress, cancellation), packer);
    packer.put(std::span<const float>(network.parameters()));
    return packer.take();
  });
  Unpacker unpacker(bytes);
  Training training = unpack_training(unpacker);
  unpacker.get(network.parameters());
  network.prepare();
  return training;
}

}  // namespace gfdt::network

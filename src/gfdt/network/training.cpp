#include "gfdt/network/training.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "gfdt/base/error.hpp"
#include "gfdt/base/philox.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/network/trainer.hpp"
#include "gfdt/parallel/ranks.hpp"
#include "gfdt/parallel/threads.hpp"

namespace gfdt::network {
namespace {

/// Random streams of a training; stream 0 is used by Network::initialise.
enum Stream : std::uint32_t { choosing_validation = 1, first_epoch = 2 };

/// Fisher–Yates shuffle. Each word of the stream selects one element; probabilities are correct to 2⁻³² times the
/// number of elements left.
void shuffle(std::span<std::uint32_t> numbers, std::uint64_t seed, std::uint32_t id) {
  const codegen::Stream stream(seed, codegen::Purpose::training, id);
  codegen::Counter words{};
  for (std::size_t i = 0; i + 1 < numbers.size(); ++i) {
    if (i % 4 == 0) words = stream.block(i / 4);
    const std::size_t left = numbers.size() - i;
    std::swap(numbers[left - 1], numbers[words[i % 4] * std::uint64_t{left} >> 32]);
  }
}

/// Linear increase, then half a cosine down to `final_rate`.
double rate_at(const TrainingOptions& options, double done) {
  if (done < options.warm_up) return options.rate * done / options.warm_up;
  const double phase = (done - options.warm_up) / (1 - options.warm_up);
  return options.rate *
         (options.final_rate + (1 - options.final_rate) * 0.5 * (1 + std::cos(std::numbers::pi * phase)));
}

/// Whether a loss indicates divergence: not finite, or much larger than that of the untrained network.
bool absurd(double loss, double first) { return !std::isfinite(loss) || loss > 10 * first; }

struct Attempt {
  Trainer& trainer;
  const TrainingOptions& options;
  std::span<const std::uint32_t> validation;
  std::span<std::uint32_t> training;
  const ProgressListener& progress;
  const Cancellation* cancellation;
  std::vector<float>& kept;  ///< parameters of a training that was completed

  Training run(double rate_scale) {
    Training result;
    result.rate = options.rate * rate_scale;
    const std::size_t batches = std::max<std::size_t>(
        1, (training.size() + static_cast<std::size_t>(options.batch) / 2) / static_cast<std::size_t>(options.batch));
    const double steps = static_cast<double>(batches) * options.epochs;
    std::vector<float> best;
    const double first_loss = trainer.loss(training.first(std::min<std::size_t>(training.size(), 512)), 0).mean();
    if (!std::isfinite(first_loss)) {
      result.status = TrainingStatus::diverged;
      return result;
    }
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
      shuffle(training, options.seed, first_epoch + static_cast<std::uint32_t>(epoch));
      const std::uint64_t before = result.steps;
      const auto rate = [&](std::size_t batch) {
        const double done = (static_cast<double>(before + batch) + 0.5) / steps;
        return adam_rate(rate_scale * rate_at(options, done), before + batch + 1);
      };
      const auto go_on = [&](std::size_t batch) {
        result.steps = before + batch + 1;
        ranks::poll();
        if (cancellation && cancellation->requested()) return false;
        if (progress && batch % 256 == 255) progress({"training", static_cast<double>(result.steps) / steps});
        return true;
      };
      const Loss loss = trainer.run(training, {static_cast<std::uint32_t>(epoch), batches, rate, go_on});
      if (!std::isfinite(loss.sum)) {
        result.status = TrainingStatus::diverged;
        return result;
      }
      if (cancellation && cancellation->requested()) {
        result.status = TrainingStatus::cancelled;
        return result;
      }
      result.steps = before + batches;
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
        best = trainer.parameters();
      }
      if (progress) progress({"training", static_cast<double>(result.steps) / steps});
      if (options.patience > 0 && epoch - result.best_epoch >= options.patience) {
        result.status = TrainingStatus::stopped_early;
        break;
      }
    }
    kept = std::move(best);
    return result;
  }
};

Training train_here(Trainer& trainer, Network<float>& network, std::size_t examples, const TrainingOptions& options,
                    const ProgressListener& progress, const Cancellation* cancellation) {
  if (const std::string problem = options.problem(); !problem.empty()) throw Error(problem);
  if (examples < 2) throw Error("A network cannot be trained on fewer than two examples.");
  const Stopwatch watch;
  std::vector<std::uint32_t> numbers(examples);
  std::iota(numbers.begin(), numbers.end(), 0u);
  shuffle(numbers, options.seed, choosing_validation);
  const auto kept = static_cast<std::size_t>(options.validation * static_cast<double>(numbers.size()));
  const std::span<std::uint32_t> all(numbers);
  std::ranges::sort(all.first(kept));

  const std::vector<float> initial(network.parameters().begin(), network.parameters().end());
  const std::vector<std::uint32_t> order(all.begin() + static_cast<std::ptrdiff_t>(kept), all.end());
  std::vector<float> parameters;
  Attempt attempt{trainer, options, all.first(kept), all.subspan(kept), progress, cancellation, parameters};
  trainer.start(initial);
  Training result = attempt.run(1);
  if (result.status == TrainingStatus::diverged) {
    std::ranges::copy(order, attempt.training.begin());
    trainer.start(initial);
    result = attempt.run(1.0 / 3);
    result.retried = true;
  }
  if (parameters.empty()) parameters = trainer.parameters();
  std::ranges::copy(parameters, network.parameters().begin());
  network.prepare();
  result.wall_seconds = watch.seconds();
  return result;
}

/// Trains on the root rank and copies the network to all ranks.
Training on_first_rank(Network<float>& network, const std::function<Training()>& train) {
  if (ranks::count() == 1) return train();
  const std::string bytes = ranks::broadcast_from_root("the training of a network", [&] {
    Packer packer;
    pack(train(), packer);
    packer.put(std::span<const float>(network.parameters()));
    return packer.take();
  });
  Unpacker unpacker(bytes);
  Training training = unpack_training(unpacker);
  unpacker.get(network.parameters());
  network.prepare();
  return training;
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
  return on_first_rank(network, [&] {
    if (const std::string problem = options.problem(); !problem.empty()) throw Error(problem);
    const std::unique_ptr<Trainer> trainer = make_trainer(network, examples, options);
    return train_here(*trainer, network, examples.size(), options, progress, cancellation);
  });
}

Training train(Trainer& trainer, Network<float>& network, std::size_t examples, const TrainingOptions& options,
               const ProgressListener& progress, const Cancellation* cancellation) {
  return on_first_rank(network,
                       [&] { return train_here(trainer, network, examples, options, progress, cancellation); });
}

}  // namespace gfdt::network

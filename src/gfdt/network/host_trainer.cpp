#include <algorithm>
#include <cmath>

#include "gfdt/network/kernels.hpp"
#include "gfdt/network/trainer.hpp"
#include "gfdt/parallel/thread_pool.hpp"
#include "gfdt/parallel/threads.hpp"

namespace gfdt::network {
namespace {

/// Trains on the CPU. Examples are divided into slices independently of the number of threads; each slice accumulates
/// its own gradient.
class HostTrainer final : public Trainer {
 public:
  HostTrainer(Network<float>& network, const Examples& examples, const TrainingOptions& options)
      : network_(network),
        examples_(examples),
        pool_(options.threads > 0 ? options.threads : available_threads()),
        stride_(network.padded_parameters().size()),
        mean_(stride_),
        square_(stride_) {
    const Architecture& architecture = network.architecture();
    inputs_ = static_cast<std::size_t>(architecture.inputs());
    outputs_ = static_cast<std::size_t>(architecture.outputs());
    const Slicing slicing = slicing_of(network, options.batch);
    slices_ = slicing.slices;
    chunk_ = slicing.chunk;
    gradients_ = AlignedArray<float>(slices_ * stride_);
    for (int worker = 0; worker < pool_.size(); ++worker) desks_.push_back(Desk(*this));
    losses_.resize(slices_);
  }

  std::vector<float> parameters() override { return {network_.parameters().begin(), network_.parameters().end()}; }

  void start(std::span<const float> parameters) override {
    std::ranges::copy(parameters, network_.parameters().begin());
    network_.prepare();
    std::fill_n(mean_.data(), stride_, 0.0f);
    std::fill_n(square_.data(), stride_, 0.0f);
  }

  Loss run(std::span<const std::uint32_t> examples, const Epoch& epoch) override {
    Loss result;
    for (std::size_t batch = 0; batch < epoch.batches; ++batch) {
      const std::size_t from = batch * examples.size() / epoch.batches,
                        to = (batch + 1) * examples.size() / epoch.batches;
      const Loss loss = step(examples.subspan(from, to - from), epoch.round, epoch.rate(batch));
      result += loss;
      if (!std::isfinite(loss.sum) || !epoch.go_on(batch)) break;
    }
    return result;
  }

  Loss loss(std::span<const std::uint32_t> examples, std::uint32_t round) override {
    work(examples, round, false);
    return total();
  }

 private:
  /// Working memory of a thread.
  struct Desk {
    explicit Desk(const HostTrainer& trainer)
        : workspace(trainer.network_.workspace(trainer.chunk_)),
          inputs(static_cast<std::size_t>(trainer.chunk_) * trainer.inputs_),
          targets(static_cast<std::size_t>(trainer.chunk_) * trainer.outputs_),
          outputs(targets.size()),
          weights(static_cast<std::size_t>(trainer.chunk_)) {}
    std::unique_ptr<Workspace<float>> workspace;
    std::vector<float> inputs, targets, outputs, weights;
  };

  /// One Adam step; returns the loss before it.
  Loss step(std::span<const std::uint32_t> batch, std::uint32_t round, const AdamRate& rate) {
    work(batch, round, true);
    const Loss loss = total();
    if (!std::isfinite(loss.sum) || !(loss.weight > 0)) return loss;
    pool_.for_each_block(slices_, [&](std::size_t piece, int) {
      const std::size_t units = stride_ / column_unit;
      const std::size_t first = piece * units / slices_ * column_unit,
                        last = (piece + 1) * units / slices_ * column_unit;
      kernels<float>().adam({network_.padded_parameters().data() + first, mean_.data() + first, square_.data() + first,
                             gradients_.data() + first, static_cast<long>(stride_), static_cast<int>(slices_),
                             static_cast<long>(last - first), static_cast<float>(2 / loss.weight), rate.rate,
                             rate.epsilon});
    });
    network_.prepare();
    return loss;
  }

  void work(std::span<const std::uint32_t> examples, std::uint32_t round, bool backward) {
    pool_.for_each_block(slices_, [&](std::size_t slice, int worker) {
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

  /// Replaces the outputs y by w (y − target) and returns the loss.
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
  ThreadPool pool_;
  int chunk_ = 1;
  std::size_t stride_;  ///< distance between the gradients of consecutive slices
  std::size_t inputs_ = 0, outputs_ = 0, slices_ = 1;
  AlignedArray<float> mean_, square_, gradients_;
  std::vector<Desk> desks_;
  std::vector<Loss> losses_;
};

}  // namespace

Slicing slicing_of(const Network<float>& network, int batch) {
  // A slice needs a few million operations to be worth a thread.
  constexpr double slice_operations = 4e6;
  constexpr int most_slices = 8;
  const double operations = 3 * network.architecture().operations() * batch;
  const int slices = std::clamp(static_cast<int>(operations / slice_operations), 1, std::min(most_slices, batch));
  return {static_cast<std::size_t>(slices), std::min(network.best_samples(), batch)};
}

AdamRate adam_rate(double rate, std::uint64_t step) {
  constexpr double epsilon = 1e-8;
  const double correction1 = 1 - std::pow(adam_beta1, static_cast<double>(step));
  const double correction2 = std::sqrt(1 - std::pow(adam_beta2, static_cast<double>(step)));
  return {static_cast<float>(rate * correction2 / correction1), static_cast<float>(epsilon * correction2)};
}

std::unique_ptr<Trainer> make_trainer(Network<float>& network, const Examples& examples,
                                      const TrainingOptions& options) {
  return std::make_unique<HostTrainer>(network, examples, options);
}

}  // namespace gfdt::network

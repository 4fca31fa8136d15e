#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "gfdt/network/training.hpp"

namespace gfdt::network {

/// A weighted sum of squares and the sum of weights by which it is divided.
struct Loss {
  double sum = 0;
  double weight = 0;
  double mean() const { return sum / weight; }
  void operator+=(const Loss& other) { sum += other.sum, weight += other.weight; }
};

/// Division of a batch into slices, which depends only on the batch. Each slice passes through the network in chunks,
/// and the examples of a chunk are requested together.
struct Slicing {
  std::size_t slices = 1;
  int chunk = 1;
};
Slicing slicing_of(const Network<float>& network, int batch);

/// Parameters of an Adam step: the rate with bias corrections, and ε.
struct AdamRate {
  float rate = 0;
  float epsilon = 0;
};
/// `step` is counted from 1.
AdamRate adam_rate(double rate, std::uint64_t step);

/// One pass over the examples.
struct Epoch {
  std::uint32_t round = 0;
  std::size_t batches = 1;
  std::function<AdamRate(std::size_t batch)> rate;
  std::function<bool(std::size_t batch)> go_on;  ///< called after every batch or after several; false stops the epoch
};

/// Performs the steps of a training and holds the parameters.
class Trainer {
 public:
  virtual ~Trainer() = default;

  virtual std::vector<float> parameters() = 0;
  /// Sets the parameters and resets the moving averages of Adam.
  virtual void start(std::span<const float> parameters) = 0;
  /// Takes an Adam step for each batch into which the examples are divided. Returns the loss before the steps. If the
  /// loss of a batch is not finite, no further steps are taken and the returned sum is not finite.
  virtual Loss run(std::span<const std::uint32_t> examples, const Epoch& epoch) = 0;
  virtual Loss loss(std::span<const std::uint32_t> examples, std::uint32_t round) = 0;
};

/// A trainer on the CPU, which modifies the parameters of `network`.
std::unique_ptr<Trainer> make_trainer(Network<float>& network, const Examples& examples,
                                      const TrainingOptions& options);

}  // namespace gfdt::network

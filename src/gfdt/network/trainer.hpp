#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "gfdt/network/training.hpp"

namespace gfdt::network {

/// A sum of squares and what it is to be divided by.
struct Loss {
  double sum = 0;
  double weight = 0;
  double mean() const { return sum / weight; }
  void operator+=(const Loss& other) { sum += other.sum, weight += other.weight; }
};

/// How a batch is cut: into slices that depend on the batch alone, each of which goes through the network in chunks.
/// The examples of a chunk are asked for together.
struct Slicing {
  std::size_t slices = 1;
  int chunk = 1;
};
Slicing slicing_of(const Network<float>& network, int batch);

/// Adam's numbers at a step: the rate with the corrections of the young averages, and ε.
struct AdamRate {
  float rate = 0;
  float epsilon = 0;
};
AdamRate adam_rate(double rate, std::uint64_t step);

/// One pass over the examples.
struct Epoch {
  std::uint32_t round = 0;
  std::size_t batches = 1;
  std::function<AdamRate(std::size_t batch)> rate;
  std::function<bool(std::size_t batch)> go_on;  ///< asked after each batch, or some
};

/// What takes the steps of a training, with parameters of its own.
class Trainer {
 public:
  virtual ~Trainer() = default;

  virtual std::vector<float> parameters() = 0;
  /// Adam begins anew.
  virtual void start(std::span<const float> parameters) = 0;
  /// A step of Adam for each of the batches that the examples are cut into. Gives the loss before the steps; its sum is
  /// no number where a step's was none, and then no more were taken.
  virtual Loss run(std::span<const std::uint32_t> examples, const Epoch& epoch) = 0;
  virtual Loss loss(std::span<const std::uint32_t> examples, std::uint32_t round) = 0;
};

/// On the cores of this machine; works on the network's own parameters.
std::unique_ptr<Trainer> make_trainer(Network<float>& network, const Examples& examples,
                                      const TrainingOptions& options);

}  // namespace gfdt::network

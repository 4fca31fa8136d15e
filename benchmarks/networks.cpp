// Training of the networks as the peer has them: steps, samples and operations a second (a direct convolution's,
// whatever the algorithm), and what the cores could do at most. One line a figure.
//   benchmark_networks [threads]
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "gfdt/codegen/random/normals.hpp"
#include "gfdt/network/training.hpp"
#include "gfdt/parallel/threads.hpp"
#include "peak.hpp"

namespace {

using namespace gfdt;
using network::Architecture;

/// The denoising task, identical to that of the peer: inputs x + σz, targets z, with new z at every visit.
class Denoising : public network::Examples {
 public:
  Denoising(std::size_t size, std::size_t dimension) : size_(size), dimension_(dimension), data_(size * dimension) {
    const codegen::Stream stream(1, codegen::Purpose::test, 0);
    for (std::size_t i = 0; i < data_.size(); ++i) data_[i] = static_cast<float>(stream.normal(i));
  }
  std::size_t size() const override { return size_; }
  void get(std::span<const std::uint32_t> examples, std::uint32_t round, float* inputs, float* targets,
           float* weights) const override {
    constexpr std::size_t lanes = 16;
    constexpr float sigma = 0.05f;
    const std::size_t rows = (dimension_ + 3) / 4 * 4;
    alignas(64) float noise[64 * lanes];
    alignas(64) std::uint32_t ids[lanes];
    for (std::size_t first = 0; first < examples.size(); first += lanes) {
      const std::size_t here = std::min(lanes, examples.size() - first);
      for (std::size_t l = 0; l < lanes; ++l) ids[l] = examples[first + std::min(l, here - 1)];
      codegen::fill_normals({noise, rows * lanes}, ids, round, codegen::Purpose::test, 0);
      for (std::size_t l = 0; l < here; ++l) {
        const float* x = data_.data() + ids[l] * dimension_;
        for (std::size_t i = 0; i < dimension_; ++i) {
          const float z = noise[i * lanes + l];
          *inputs++ = x[i] + sigma * z;
          *targets++ = z;
        }
        *weights++ = 1;
      }
    }
  }

 private:
  std::size_t size_, dimension_;
  std::vector<float> data_;
};

void report(const std::string& name, const Architecture& architecture, int batch, int steps, int threads) {
  network::Network<float> network(architecture);
  network.initialise(1);
  const Denoising examples(static_cast<std::size_t>(batch) * 8, static_cast<std::size_t>(architecture.inputs()));
  network::TrainingOptions options{
      .batch = batch, .epochs = std::max(1, steps / 8), .validation = 0, .threads = threads};
  double best = 1e30;
  for (int round = 0; round < 3; ++round) {
    const network::Training training = network::train(network, examples, options);
    best = std::min(best, training.wall_seconds / static_cast<double>(training.steps));
  }
  fmt::print("{0}-steps {1:.5g}\n{0}-samples {2:.5g}\n{0}-flops {3:.5g}\n", name, 1 / best, batch / best,
             3 * architecture.operations() * batch / best);
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : available_threads();
  fmt::print("peak-flops {:.5g}\n", threads * benchmark::peak_flops());
  report("mlp", network::mlp({3, 100, 50, 3}), 32, 16000, threads);
  report("patch", network::patch(36, 1, 9, {128, 128, 128}), 256, 48, threads);
  report("unet", network::unet(36, 1), 256, 24, threads);
  return 0;
}

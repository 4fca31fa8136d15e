// Networks on a GPU: samples a second of training and of evaluation. One line a figure.
//   benchmark_device_networks [--profile] [--samples N] [--batch N] [--short]
// --samples: that a thread group works on at a time. --profile: also what each layer costs, in microseconds of a group.
// --short: a few steps and states only, to see that it runs.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "gfdt/base/error.hpp"
#include "gfdt/base/philox.hpp"
#include "gfdt/gpu/network/device_network.hpp"
#include "gfdt/gpu/network/device_trainer.hpp"

namespace {

using namespace gfdt;
using network::Architecture;

struct Settings {
  bool profile = false;
  int samples = 0;
  int batch = 0;
  bool brief = false;
};

std::vector<float> normals(std::size_t count) {
  const codegen::Stream stream(1, codegen::Purpose::test, 0);
  std::vector<float> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = static_cast<float>(stream.normal(i));
  return result;
}

/// The denoising task, identical to that of the peer.
class Denoising : public network::Examples {
 public:
  Denoising(std::size_t size, const Architecture& architecture)
      : size_(size),
        architecture_(architecture),
        points_(normals(size * static_cast<std::size_t>(architecture.inputs()))) {}
  std::size_t size() const override { return size_; }
  void get(std::span<const std::uint32_t>, std::uint32_t, float*, float*, float*) const override {}
  std::optional<network::ExampleTable> table() const override {
    return network::ExampleTable{.inputs = points_,
                                 .targets = {},
                                 .weights = {},
                                 .noise = 0.05f,
                                 .turn = architecture_.sites > 1,
                                 .sites = architecture_.sites,
                                 .fields = architecture_.channels,
                                 .noise_seed = 1,
                                 .turn_seed = 2};
  }

 private:
  std::size_t size_;
  Architecture architecture_;
  std::vector<float> points_;
};

double seconds_of(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void report_training(const std::string& name, const Architecture& architecture, int batch, int steps, int alone,
                     const Settings& settings) {
  network::Network<float> network(architecture);
  network.initialise(1);
  if (settings.batch > 0) batch = settings.batch;
  if (settings.brief) steps = 2;
  const auto size = static_cast<std::size_t>(batch);
  const auto batches = static_cast<std::size_t>(steps);
  const Denoising examples(batches * size, architecture);
  const auto trainer =
      gpu::make_device_trainer(network, examples, {.batch = batch}, {.samples = settings.samples, .alone = alone});
  trainer->start(network.parameters());
  std::vector<std::uint32_t> order(batches * size);
  std::iota(order.begin(), order.end(), 0u);
  const auto rate = [](std::size_t batch_number) { return network::adam_rate(8e-4, batch_number + 1); };
  const auto go_on = [](std::size_t) { return true; };
  double best = 1e30, loss = 0;
  for (int round = 0; round < 4; ++round) {
    const double seconds = seconds_of([&] {
      loss = trainer->run(order, {static_cast<std::uint32_t>(round), batches, rate, go_on}).mean();
    });
    if (round > 0) best = std::min(best, seconds / steps);
  }
  const double flops = 3 * architecture.operations() * batch / best;
  fmt::print("{0}-batch {1}\n{0}-steps {2:.5g}\n{0}-samples {3:.5g}\n{0}-flops {4:.5g}\n{0}-loss {5:.5g}\n", name,
             batch, 1 / best, batch / best, flops, loss);
  if (!settings.profile) return;
  constexpr double cycles_a_microsecond = 1800;  // about
  for (const auto& cost : trainer->costs(std::span(order).first(size)))
    fmt::print("{}-us {:8.2f}  {}\n", name, cost.cycles / cycles_a_microsecond, cost.part);
  std::fflush(stdout);
}

void report_evaluation(const std::string& name, const Architecture& architecture, std::size_t samples, bool divergence,
                       const Settings& settings) {
  network::Network<float> network(architecture);
  network.initialise(1);
  if (settings.brief) samples = 8;
  for (const bool precise : {true, false}) {
    gpu::DeviceNetwork device(network, settings.samples, precise);
    const std::size_t d = static_cast<std::size_t>(architecture.inputs());
    const std::vector<float> x = normals(samples * d), v = normals(samples * d);
    std::vector<float> y(samples * d), dy(samples * d);
    double best = 1e30;
    for (int round = 0; round < 4; ++round) {
      const double seconds = seconds_of([&] {
        if (divergence)
          device.differentiate(x, v, y, dy);
        else
          device.evaluate(x, y);
      });
      if (round > 0) best = std::min(best, seconds);
    }
    fmt::print("{}-{}-{} {:.5g}\n", name, divergence ? "directional-derivatives" : "values",
               precise ? "single" : "tf32", static_cast<double>(samples) / best);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--profile") settings.profile = true;
    if (word == "--short") settings.brief = true;
    if (word == "--samples" && i + 1 < argc) settings.samples = std::atoi(argv[++i]);
    if (word == "--batch" && i + 1 < argc) settings.batch = std::atoi(argv[++i]);
  }
  const Architecture unet = network::unet(36, 1), patch = network::patch(36, 1, 9, {128, 128, 128}),
                     mlp = network::mlp({3, 100, 50, 3});
  try {
    report_training("unet", unet, 1024, 64, -1, settings);
    report_training("patch", patch, 1024, 256, -1, settings);
    report_training("mlp", mlp, 32, 2048, -1, settings);
    report_training("mlp-1024", mlp, 1024, 512, -1, settings);
    for (const bool divergence : {false, true}) {
      report_evaluation("unet", unet, 65536, divergence, settings);
      report_evaluation("patch", patch, 65536, divergence, settings);
      report_evaluation("mlp", mlp, 262144, divergence, settings);
    }
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return 0;
}

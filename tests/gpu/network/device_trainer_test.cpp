#include "gfdt/gpu/network/device_trainer.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "gfdt/gpu/network/train.hpp"
#include "gfdt/score/estimators/denoising.hpp"
#include "networks.hpp"

namespace gfdt::gpu {
namespace {

using network::Network;

class DeviceTrainerTest : public OnDevice {};

/// Examples with targets and weights.
class Table : public network::Examples {
 public:
  Table(std::size_t size, const network::Architecture& architecture)
      : size_(size),
        inputs_(normals(size * static_cast<std::size_t>(architecture.inputs()), 11)),
        targets_(normals(size * static_cast<std::size_t>(architecture.outputs()), 12)) {
    for (std::size_t i = 0; i < size; ++i) weights_.push_back(0.5f + static_cast<float>(i % 3));
  }
  std::size_t size() const override { return size_; }
  void get(std::span<const std::uint32_t> examples, std::uint32_t, float* inputs, float* targets,
           float* weights) const override {
    const std::size_t in = inputs_.size() / size_, out = targets_.size() / size_;
    for (const std::uint32_t example : examples) {
      inputs = std::copy_n(inputs_.data() + example * in, in, inputs);
      targets = std::copy_n(targets_.data() + example * out, out, targets);
      *weights++ = weights_[example];
    }
  }
  std::optional<network::ExampleTable> table() const override {
    return network::ExampleTable{.inputs = inputs_, .targets = targets_, .weights = weights_};
  }

 private:
  std::size_t size_;
  std::vector<float> inputs_, targets_, weights_;
};

score::Samples samples_on_ring(std::size_t count, int sites) {
  score::Samples samples;
  samples.arrangement = {.fields = 1, .sites = sites};
  const std::vector<float> values = normals(count * static_cast<std::size_t>(sites), 13);
  for (std::size_t i = 0; i < values.size(); ++i)
    samples.values.push_back(static_cast<double>(values[i]) + 0.5 * static_cast<double>(values[i > 0 ? i - 1 : 0]));
  for (std::size_t i = 0; i < count; ++i) samples.group.push_back(static_cast<std::uint32_t>(i / 10));
  for (int i = 0; i < sites; ++i) samples.names.push_back("x" + std::to_string(i));
  return samples;
}

template <class T>
std::vector<T> gradient_on_host(const Network<T>& network, const Table& examples,
                                std::span<const std::uint32_t> numbers) {
  const auto& architecture = network.architecture();
  const std::size_t outputs = static_cast<std::size_t>(architecture.outputs());
  std::vector<float> x(numbers.size() * static_cast<std::size_t>(architecture.inputs())), t(numbers.size() * outputs),
      w(numbers.size());
  examples.get(numbers, 0, x.data(), t.data(), w.data());
  std::vector<T> y(t.size()), gradient(network.parameters().size());
  const auto workspace = network.workspace(static_cast<int>(numbers.size()));
  network.forward(*workspace, static_cast<int>(numbers.size()), std::vector<T>(x.begin(), x.end()).data(), y.data());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<T>(w[i / outputs]) * (y[i] - static_cast<T>(t[i]));
  network.backward(*workspace, y.data());
  network.take_gradient(*workspace, gradient.data());
  return gradient;
}

TEST_F(DeviceTrainerTest, GradientsAgreeWithTheHost) {
  for (const auto& [name, architecture] : all_networks()) {
    const Network<float> network = network_of(architecture);
    const Table examples(20, architecture);
    const std::vector<std::uint32_t> numbers{3, 17, 4, 11, 9};
    const std::vector<double> exact = gradient_on_host(in_double(network), examples, numbers);
    const double of_host = difference(gradient_on_host(network, examples, numbers), exact);
    for (const bool precise : {true, false}) {
      const auto trainer = make_device_trainer(network, examples, {.batch = 5}, {.samples = 1, .alone = 0}, precise);
      trainer->start(network.parameters());
      EXPECT_LT(difference(trainer->gradient(numbers, 0), exact), allowed(precise, of_host)) << name << precise;
    }
  }
}

TEST_F(DeviceTrainerTest, TrainingAgreesWithTheHost) {
  constexpr double rounding = 1e-4;  // of losses after a few steps in single precision
  const score::Samples samples = samples_on_ring(24, 20);
  const score::DenoisingExamples examples(samples, samples.arrangement, score::normalisation_of(samples), 0.3, true, 7);
  for (const auto& architecture : {network::unet(20, 1, 8), network::patch(20, 1, 2, {40})}) {
    const network::TrainingOptions options{.batch = 11, .epochs = 2, .validation = 0.1};
    Network<float> host(architecture);
    host.initialise(1);
    const Network<float> initial(host);
    const network::Training expected = network::train(host, examples, options);
    for (const int alone : {0, 1}) {
      Network<float> device(initial);
      const auto trainer = make_device_trainer(device, examples, options, {.samples = 5, .alone = alone}, true);
      const network::Training training = network::train(*trainer, device, examples.size(), options, {}, nullptr);
      EXPECT_EQ(training.steps, expected.steps);
      for (std::size_t epoch = 0; epoch < 2; ++epoch) {
        EXPECT_NEAR(training.loss[epoch] / expected.loss[epoch], 1, rounding);
        EXPECT_NEAR(training.validation_loss[epoch] / expected.validation_loss[epoch], 1, rounding);
      }
    }
  }
}

TEST_F(DeviceTrainerTest, TrainingGivesTheSameBitsAgainAndAsGoodALossWithRoundedOperands) {
  const network::Architecture architecture = network::mlp({3, 64, 40, 3});
  const Table examples(128, architecture);
  network::TrainingOptions options{.batch = 64, .epochs = 10, .rate = 1e-2, .validation = 0};
  Network<float> host = network_of(architecture), once = host, again = host;
  const network::Training expected = network::train(host, examples, options);
  options.device = true;
  const network::Training training = gpu::train(once, examples, options);
  gpu::train(again, examples, options);
  EXPECT_TRUE(std::ranges::equal(once.parameters(), again.parameters()));
  EXPECT_FALSE(std::ranges::equal(once.parameters(), host.parameters()));  // shows that the device was used
  EXPECT_NEAR(training.best_loss / expected.best_loss, 1, 0.01);
  EXPECT_LT(training.loss.back(), 0.9 * training.loss.front());
}

TEST_F(DeviceTrainerTest, CostsAreReportedByPart) {
  const network::Architecture architecture = network::mlp({3, 40, 3});
  const Table examples(8, architecture);
  const std::vector<std::uint32_t> numbers{0, 1, 2, 3, 4};
  std::vector<std::string> parts;
  const auto trainer = make_device_trainer(network_of(architecture), examples, {.batch = 5}, {.alone = 0});
  for (const auto& [part, cycles] : trainer->costs(numbers)) parts.push_back(part);
  EXPECT_THAT(parts,
              testing::ElementsAre("forward convolution 1 x 3-40, 1 taps", "forward convolution 1 x 40-3, 1 taps",
                                   "weights convolution 1 x 3-40, 1 taps", "weights convolution 1 x 40-3, 1 taps",
                                   "backward convolution 1 x 3-40, 1 taps", "backward convolution 1 x 40-3, 1 taps"));
}

TEST_F(DeviceTrainerTest, DivergenceIsDetected) {
  const network::Architecture architecture = network::mlp({3, 40, 3});
  Network<float> network = network_of(architecture);
  const Table examples(64, architecture);
  for (const int alone : {0, 1}) {
    const network::TrainingOptions options{.batch = 8, .epochs = 2, .validation = 0};
    network.parameters()[5] = std::numeric_limits<float>::quiet_NaN();
    network.prepare();
    const auto trainer = make_device_trainer(network, examples, options, {.alone = alone});
    EXPECT_EQ(network::train(*trainer, network, 64, options, {}, nullptr).status, network::TrainingStatus::diverged);
    trainer->start(network.parameters());
    const std::vector<std::uint32_t> numbers{0, 1, 2, 3};
    const network::Epoch epoch{0, 2,
                               [](std::size_t) {
                                 return network::AdamRate{1e-3f, 1e-8f};
                               },
                               [](std::size_t) { return true; }};
    EXPECT_FALSE(std::isfinite(trainer->run(numbers, epoch).sum));
  }
}

}  // namespace
}  // namespace gfdt::gpu

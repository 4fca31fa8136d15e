// Derivatives of every layer compared with central differences of fourth order in double precision.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gfdt/base/philox.hpp"
#include "gfdt/network/network.hpp"

namespace gfdt::network {
namespace {

std::vector<double> random_numbers(std::size_t count, std::uint32_t id) {
  const codegen::Stream stream(7, codegen::Purpose::test, id);
  std::vector<double> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = stream.normal(i);
  return result;
}

struct Case {
  const char* name;
  Architecture architecture;
};

std::vector<Case> cases() {
  const Swish swish;
  return {
      {"dense", mlp({3, 5})},
      {"dense_swish", mlp({3, 21, 18, 2})},
      {"convolution", {7, 2, {Convolution{2, 3, 5, 1}}}},
      {"even_kernel", {7, 2, {Convolution{2, 3, 4, 1}, Convolution{3, 17, 2, 1}}}},
      {"two_convolutions", {9, 2, {Convolution{2, 19, 5, 1}, swish, Convolution{19, 3, 3, 1}}}},
      {"strided", {8, 3, {Convolution{3, 5, 3, 1}, Convolution{5, 18, 2, 2}, swish, Convolution{18, 2, 4, 4}}}},
      {"swish_first", {4, 3, {swish, Convolution{3, 2, 1, 1}}}},
      {"group_norm", {6, 4, {Convolution{4, 12, 3, 1}, GroupNorm{12, 3}, Convolution{12, 2, 1, 1}}}},
      {"group_norm_first", {6, 4, {GroupNorm{4, 2}, Convolution{4, 2, 1, 1}}}},
      {"group_norm_swish", {6, 4, {Convolution{4, 24, 3, 1}, GroupNorm{24, 4}, swish, Convolution{24, 2, 3, 1}}}},
      {"join",
       {6,
        2,
        {Convolution{2, 5, 3, 1}, swish, Convolution{5, 7, 2, 2}, swish, UpsampleAndJoin{1},
         Convolution{12, 2, 5, 1}}}},
      {"joined_twice",
       {4,
        1,
        {Convolution{1, 3, 3, 1}, swish, Convolution{3, 4, 2, 2}, UpsampleAndJoin{1}, Convolution{7, 5, 2, 2}, swish,
         UpsampleAndJoin{1}, Convolution{8, 1, 1, 1}}}},
      {"fast_convolution",
       {9, 3, {Convolution{3, 16, 1, 1}, swish, Convolution{16, 32, 5, 1}, Convolution{32, 2, 5, 1}}}},
      {"fast_convolution_of_few_sites", {5, 16, {Convolution{16, 16, 1, 1}, Convolution{16, 16, 5, 1}}}},
      {"patch", patch(11, 2, 3, {17, 9})},
      {"unet", unet(20, 2, 8)},
      {"wide_unet", unet(24, 1, 16)},
  };
}

class EveryLayer : public ::testing::TestWithParam<Case> {
 protected:
  static constexpr int samples = 3;
  EveryLayer() : network(GetParam().architecture) {
    network.initialise(3);
    // Moves biases, scales and shifts away from their special initial values.
    const std::vector<double> noise = random_numbers(network.parameters().size(), 1);
    for (std::size_t i = 0; i < noise.size(); ++i) network.parameters()[i] += 0.2 * noise[i];
    network.prepare();
    workspace = network.workspace(samples);
    x = random_numbers(static_cast<std::size_t>(samples * network.architecture().inputs()), 2);
    c = random_numbers(static_cast<std::size_t>(samples * network.architecture().outputs()), 3);
  }

  std::vector<double> output(const std::vector<double>& input) {
    std::vector<double> y(c.size());
    network.forward(*workspace, samples, input.data(), y.data());
    return y;
  }
  /// Σ c·y
  double loss(const std::vector<double>& input) {
    double sum = 0;
    const std::vector<double> y = output(input);
    for (std::size_t i = 0; i < y.size(); ++i) sum += c[i] * y[i];
    return sum;
  }

  Network<double> network;
  std::unique_ptr<Workspace<double>> workspace;
  std::vector<double> x, c;
};

TEST_P(EveryLayer, GradientAgreesWithCentralDifferences) {
  std::vector<double> gradient(network.parameters().size(), 0.0);
  output(x);
  network.backward(*workspace, c.data());
  network.take_gradient(*workspace, gradient.data());
  double scale = 0;
  for (double g : gradient) scale = std::max(scale, std::abs(g));
  constexpr double h = 1e-3;
  const std::size_t stride = std::max<std::size_t>(1, gradient.size() / 400);
  for (std::size_t i = 0; i < gradient.size(); i += stride) {
    double& p = network.parameters()[i];
    const double kept = p;
    auto at = [&](double value) {
      p = value;
      network.prepare();
      return loss(x);
    };
    const double slope = (8 * (at(kept + h) - at(kept - h)) - (at(kept + 2 * h) - at(kept - 2 * h))) / (12 * h);
    p = kept;
    ASSERT_NEAR(gradient[i], slope, 1e-8 * scale + 1e-9) << "parameter " << i;
  }
}

TEST_P(EveryLayer, GradientsAccumulateUntilTaken) {
  std::vector<double> once(network.parameters().size(), 0.0), twice = once;
  output(x);
  network.backward(*workspace, c.data());
  network.take_gradient(*workspace, once.data());
  for (int pass = 0; pass < 2; ++pass) {
    output(x);
    network.backward(*workspace, c.data());
  }
  network.take_gradient(*workspace, twice.data());
  for (std::size_t i = 0; i < once.size(); ++i) ASSERT_NEAR(twice[i], 2 * once[i], 1e-12 * (1 + std::abs(once[i])));
}

TEST_P(EveryLayer, DirectionalDerivativeAgreesWithCentralDifferences) {
  const std::vector<double> v = random_numbers(x.size(), 4);
  std::vector<double> derivative(c.size());
  output(x);
  network.tangent(*workspace, v.data(), derivative.data());
  constexpr double h = 3e-4;
  auto along = [&](double distance) {
    std::vector<double> moved = x;
    for (std::size_t i = 0; i < x.size(); ++i) moved[i] += distance * v[i];
    return output(moved);
  };
  const std::vector<double> above = along(h), below = along(-h), far_above = along(2 * h), far_below = along(-2 * h);
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double difference = (8 * (above[i] - below[i]) - (far_above[i] - far_below[i])) / (12 * h);
    ASSERT_NEAR(derivative[i], difference, 1e-8 * (1 + std::abs(derivative[i])));
  }
}

TEST_P(EveryLayer, OutputOfASampleDoesNotDependOnOtherSamples) {
  const std::vector<double> together = output(x);
  const auto inputs = static_cast<std::size_t>(network.architecture().inputs());
  const auto outputs = static_cast<std::size_t>(network.architecture().outputs());
  for (std::size_t i = 0; i < samples; ++i) {
    std::vector<double> alone(outputs);
    network.forward(*workspace, 1, x.data() + i * inputs, alone.data());
    for (std::size_t j = 0; j < outputs; ++j) ASSERT_DOUBLE_EQ(alone[j], together[i * outputs + j]);
  }
}

INSTANTIATE_TEST_SUITE_P(Network, EveryLayer, ::testing::ValuesIn(cases()),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(WindowTangent, IsTheDerivativeWithRespectToANeighbourAtAllSites) {
  Network<double> network(patch(9, 2, 2, {7, 6}));
  network.initialise(5);
  ASSERT_TRUE(network.has_window());
  const int sites = 9, fields = 2;
  const std::vector<double> x = random_numbers(sites * fields, 6);
  std::vector<double> y(x.size()), unit(x.size()), derivative(x.size()), window(x.size());
  auto workspace = network.workspace(1);
  network.forward(*workspace, 1, x.data(), y.data());
  for (int offset = -3; offset <= 3; ++offset)
    for (int field = 0; field < fields; ++field) {
      network.window_tangent(*workspace, offset, field, window.data());
      for (int site = 0; site < sites; ++site) {
        std::ranges::fill(unit, 0.0);
        unit[static_cast<std::size_t>((site + offset + sites) % sites * fields + field)] = 1;
        network.tangent(*workspace, unit.data(), derivative.data());
        for (int out = 0; out < fields; ++out) {
          const auto i = static_cast<std::size_t>(site * fields + out);
          ASSERT_NEAR(window[i], derivative[i], 1e-14);
        }
      }
    }
}

TEST(WindowTangent, IsNotAvailableIfLaterLayersMixSites) {
  EXPECT_FALSE(Network<double>(unet(20, 1, 8)).has_window());
  EXPECT_TRUE(Network<double>(mlp({3, 4, 2})).has_window());
}

}  // namespace
}  // namespace gfdt::network

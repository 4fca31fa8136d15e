#include "gfdt/network/network.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gfdt/base/philox.hpp"

namespace gfdt::network {
namespace {

std::vector<double> random_numbers(std::size_t count, std::uint32_t id) {
  const codegen::Stream stream(13, codegen::Purpose::test, id);
  std::vector<double> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = stream.normal(i);
  return result;
}

std::vector<double> output(const Network<double>& network, const std::vector<double>& x) {
  std::vector<double> y(static_cast<std::size_t>(network.architecture().outputs()));
  network.forward(*network.workspace(1), 1, x.data(), y.data());
  return y;
}

TEST(Network, ComputesADenseLayerWithSwish) {
  Network<double> network(mlp({2, 2, 1}));
  const double parameters[] = {0.5, -1, 2, 0.25, 0.1, -0.2, 3, -2, 0.7};
  std::ranges::copy(parameters, network.parameters().begin());
  network.prepare();
  auto swish = [](double x) { return x / (1 + std::exp(-x)); };
  const double x0 = 0.3, x1 = -0.8;
  const double h0 = swish(0.5 * x0 + 2 * x1 + 0.1), h1 = swish(-1 * x0 + 0.25 * x1 - 0.2);
  EXPECT_NEAR(output(network, {x0, x1})[0], 3 * h0 - 2 * h1 + 0.7, 1e-14);
}

TEST(Network, ConvolvesAroundTheRing) {
  const int sites = 6, kernel = 3;
  Network<double> network({sites, 2, {Convolution{2, 3, kernel, 1}}});
  network.initialise(2);
  for (double& p : network.parameters().last(3)) p = 0.4;
  network.prepare();
  const std::vector<double> x = random_numbers(sites * 2, 1), y = output(network, x);
  const auto w = network.parameters();
  for (int r = 0; r < sites; ++r)
    for (int o = 0; o < 3; ++o) {
      double sum = 0.4;
      for (int t = 0; t < kernel; ++t)
        for (int i = 0; i < 2; ++i)
          sum += w[static_cast<std::size_t>((t * 2 + i) * 3 + o)] *
                 x[static_cast<std::size_t>((r + t - 1 + sites) % sites * 2 + i)];
      EXPECT_NEAR(y[static_cast<std::size_t>(r * 3 + o)], sum, 1e-14);
    }
}

TEST(Network, FastConvolutionAgreesWithTheDirectOne) {
  const int sites = 10, channels = 16, kernel = 5;
  Network<double> network(
      {sites, channels, {Convolution{channels, channels, 1, 1}, Convolution{channels, channels, kernel, 1}}});
  network.initialise(2);
  const auto first = network.parameters().first(17 * 16);
  std::ranges::fill(first, 0.0);
  for (std::size_t c = 0; c < 16; ++c) first[17 * c] = 1;
  for (double& p : network.parameters().last(16)) p = 0.4;
  network.prepare();
  const std::vector<double> x = random_numbers(sites * channels, 1), y = output(network, x);
  const auto w = network.parameters().subspan(17 * 16);
  for (int r = 0; r < sites; ++r)
    for (int o = 0; o < channels; ++o) {
      double sum = 0.4;
      for (int t = 0; t < kernel; ++t)
        for (int i = 0; i < channels; ++i)
          sum += w[static_cast<std::size_t>((t * channels + i) * channels + o)] *
                 x[static_cast<std::size_t>((r + t - 2 + sites) % sites * channels + i)];
      EXPECT_NEAR(y[static_cast<std::size_t>(r * channels + o)], sum, 1e-12);
    }
}

std::vector<double> shifted(const std::vector<double>& x, std::size_t by) {
  std::vector<double> result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result[(i + by) % x.size()] = x[i];
  return result;
}

TEST(Network, PatchCommutesWithAllShiftsAndUNetWithShiftsByFour) {
  Network<double> one(patch(20, 1, 4, {12, 12})), other(unet(20, 1, 8));
  one.initialise(3);
  other.initialise(3);
  const std::vector<double> x = random_numbers(20, 2);
  const std::vector<double> y = shifted(output(one, x), 1), z = shifted(output(other, x), 4);
  const std::vector<double> y_of_shifted = output(one, shifted(x, 1)), z_of_shifted = output(other, shifted(x, 4));
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_DOUBLE_EQ(y[i], y_of_shifted[i]);
    EXPECT_NEAR(z[i], z_of_shifted[i], 1e-13);
  }
  const std::vector<double> by_one = output(other, shifted(x, 1)), unshifted = shifted(output(other, x), 1);
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(by_one[i] - unshifted[i]));
  EXPECT_GT(most, 1e-3);
}

TEST(Network, GroupNormGivesMeanZeroAndVarianceOne) {
  Network<double> network({5, 4, {GroupNorm{4, 2}}});
  network.initialise(1);
  const std::vector<double> y = output(network, random_numbers(20, 3));
  for (std::size_t group = 0; group < 2; ++group) {
    double sum = 0, squares = 0;
    for (std::size_t site = 0; site < 5; ++site)
      for (std::size_t c = 2 * group; c < 2 * group + 2; ++c)
        sum += y[site * 4 + c], squares += y[site * 4 + c] * y[site * 4 + c];
    EXPECT_NEAR(sum, 0, 1e-13);
    EXPECT_NEAR(squares / 10, 1, 1e-4);
  }
}

TEST(Network, SinglePrecisionAgreesWithDouble) {
  Network<double> exact(unet(36, 1));
  Network<float> rounded(unet(36, 1));
  exact.initialise(9);
  rounded.initialise(9);
  const std::vector<double> x = random_numbers(36, 4), y = output(exact, x);
  const std::vector<float> narrow(x.begin(), x.end());
  std::vector<float> z(36);
  rounded.forward(*rounded.workspace(1), 1, narrow.data(), z.data());
  for (std::size_t i = 0; i < 36; ++i) EXPECT_NEAR(static_cast<double>(z[i]), y[i], 2e-5);
}

TEST(Network, CopiesAreIndependent) {
  Network<double> network(mlp({2, 3, 1}));
  network.initialise(4);
  const std::vector<double> x{0.2, 0.4}, before = output(network, x);
  Network<double> copy = network;
  for (double& p : copy.parameters()) p = 0;
  copy.prepare();
  EXPECT_EQ(output(network, x), before);
  EXPECT_EQ(output(copy, x)[0], 0);
}

}  // namespace
}  // namespace gfdt::network

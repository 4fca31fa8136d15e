#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gfdt/base/philox.hpp"
#include "gfdt/gpu/network/placement.hpp"
#include "gfdt/network/network.hpp"

namespace gfdt::gpu {

struct Named {
  std::string name;
  network::Architecture architecture;
};

/// The three kinds of networks with odd widths, and layers in an order that none of them has.
inline std::vector<Named> all_networks() {
  network::Architecture odd{6, 2, {}};
  odd.layers = {network::Swish{},
                network::Convolution{2, 9, 3, 1},
                network::GroupNorm{9, 3},
                network::Convolution{9, 12, 1, 1},
                network::Convolution{12, 40, 2, 2},
                network::Swish{},
                network::UpsampleAndJoin{3},
                network::Convolution{52, 34, 5, 1},
                network::Swish{}};
  return {{"U-Net", network::unet(20, 2, 8)},
          {"patch", network::patch(12, 2, 3, {37, 50})},
          {"MLP", network::mlp({5, 40, 13, 5})},
          {"odd layers", odd}};
}

inline network::Network<float> network_of(const network::Architecture& architecture) {
  network::Network<float> network(architecture);
  network.initialise(3);
  // Random changes, so that scales of norms differ from 1 and shifts and biases from 0.
  const codegen::Stream stream(4, codegen::Purpose::test, 0);
  std::size_t i = 0;
  for (float& parameter : network.parameters()) parameter += static_cast<float>(0.1 * stream.normal(i++));
  network.prepare();
  return network;
}

inline std::vector<float> normals(std::size_t count, std::uint32_t id) {
  const codegen::Stream stream(5, codegen::Purpose::test, id);
  std::vector<float> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = static_cast<float>(stream.normal(i));
  return result;
}

/// Root mean square of the difference, relative to that of `expected`.
template <class T>
double difference(const std::vector<float>& values, const std::vector<T>& expected) {
  double square = 0, off = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double value = static_cast<double>(values[i]), right = static_cast<double>(expected[i]);
    square += right * right;
    off += (value - right) * (value - right);
  }
  return std::sqrt(off / square);
}

/// Allowed error, given the error of the host in single precision. If operands are split: a few times that error,
/// because the order of summation differs, plus half a unit in the last place for each of up to a hundred tile products
/// per sum, which tensor cores truncate instead of rounding. With operands of 11 instead of 24 bits the error grows by
/// 2^13.
inline double allowed(bool precise, double of_host) {
  constexpr double cut_off = 100 * 0x1p-25;
  return precise ? 4 * of_host + cut_off : 8192 * of_host;
}

inline network::Network<double> in_double(const network::Network<float>& network) {
  network::Network<double> result(network.architecture());
  std::ranges::copy(network.parameters(), result.parameters().begin());
  result.prepare();
  return result;
}
inline std::vector<double> in_double(const std::vector<float>& numbers) { return {numbers.begin(), numbers.end()}; }

class OnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = missing_for(network::mlp({1, 1})); !missing.empty()) GTEST_SKIP() << missing;
  }
};

}  // namespace gfdt::gpu

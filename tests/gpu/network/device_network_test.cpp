#include "gfdt/gpu/network/device_network.hpp"

#include "networks.hpp"

namespace gfdt::gpu {
namespace {

using network::Network;

/// Values and derivatives computed on the host.
template <class T>
struct Reference {
  std::vector<T> y, dy;
};

template <class T>
Reference<T> along_directions(const Network<T>& network, const std::vector<T>& x, const std::vector<T>& v) {
  const int samples = static_cast<int>(x.size()) / network.architecture().inputs();
  Reference<T> result;
  result.y.resize(static_cast<std::size_t>(samples * network.architecture().outputs()));
  result.dy.resize(v.size() / x.size() * result.y.size());
  const auto workspace = network.workspace(samples);
  network.forward(*workspace, samples, x.data(), result.y.data());
  for (std::size_t n = 0; n < v.size() / x.size(); ++n)
    network.tangent(*workspace, v.data() + n * x.size(), result.dy.data() + n * result.y.size());
  return result;
}

template <class T>
Reference<T> along_windows(const Network<T>& network, const std::vector<T>& x, const std::vector<Window>& windows) {
  Reference<T> result = along_directions(network, x, std::vector<T>(x.size()));
  const int samples = static_cast<int>(x.size()) / network.architecture().inputs();
  result.dy.resize(windows.size() * result.y.size());
  const auto workspace = network.workspace(samples);
  network.forward(*workspace, samples, x.data(), result.y.data());
  for (std::size_t n = 0; n < windows.size(); ++n)
    network.window_tangent(*workspace, windows[n].offset, windows[n].channel, result.dy.data() + n * result.y.size());
  return result;
}

class DeviceNetworkTest : public OnDevice {};

TEST_F(DeviceNetworkTest, ValuesAndDerivativesAgreeWithTheHost) {
  constexpr std::size_t samples = 7, directions = 2;  // not a multiple of the samples per group
  for (const auto& [name, architecture] : all_networks()) {
    const Network<float> network = network_of(architecture);
    const auto inputs = static_cast<std::size_t>(architecture.inputs());
    const std::vector<float> x = normals(samples * inputs, 1), v = normals(directions * samples * inputs, 2);
    const auto exact = along_directions(in_double(network), in_double(x), in_double(v));
    const auto host = along_directions(network, x, v);
    for (const bool precise : {true, false}) {
      DeviceNetwork device(network, 3, precise);
      std::vector<float> y(host.y.size()), dy(host.dy.size()), again(y.size());
      device.differentiate(x, v, y, dy);
      EXPECT_LT(difference(y, exact.y), allowed(precise, difference(host.y, exact.y))) << name << precise;
      EXPECT_LT(difference(dy, exact.dy), allowed(precise, difference(host.dy, exact.dy))) << name << precise;
      device.evaluate(x, again);
      EXPECT_EQ(again, y) << name;
    }
  }
}

TEST_F(DeviceNetworkTest, WindowsAreEqualToThoseOfTheHost) {
  const Network<float> network = network_of(network::patch(12, 2, 3, {20, 33}));
  const std::vector<float> x = normals(5 * 24, 1);
  const std::vector<Window> windows{{0, 0}, {-3, 1}, {3, 0}, {4, 1}};
  const auto exact = along_windows(in_double(network), in_double(x), windows);
  const auto host = along_windows(network, x, windows);
  DeviceNetwork device(network);
  std::vector<float> y(host.y.size()), dy(host.dy.size());
  device.differentiate(x, std::span<const Window>(windows), y, dy);
  EXPECT_LT(difference(y, exact.y), allowed(true, difference(host.y, exact.y)));
  EXPECT_LT(difference(dy, exact.dy), allowed(true, difference(host.dy, exact.dy)));
}

TEST_F(DeviceNetworkTest, RingsThatAreTooLargeAreReported) {
  EXPECT_EQ(missing_for(network::unet(36, 1)), "");
  EXPECT_NE(missing_for(network::patch(20000, 1, 3, {64})), "");
}

}  // namespace
}  // namespace gfdt::gpu

#include "gfdt/score/fields/divergence.hpp"
#include "gfdt/score/fields/network_field.hpp"
#include "networks.hpp"

namespace gfdt::gpu {
namespace {

using score::Arrangement;
using score::NetworkField;

class DeviceFieldTest : public OnDevice {};

score::NetworkScore score_of(const Arrangement& arrangement, const network::Architecture& architecture) {
  const auto d = static_cast<std::size_t>(arrangement.dimension());
  score::NetworkScore parts{.method = "test",
                            .arrangement = arrangement,
                            .normalisation = {},
                            .noise = 0.1,
                            .scale = 0.7,
                            .linear = {},
                            .network = network_of(architecture)};
  for (std::size_t i = 0; i < d; ++i) {
    parts.normalisation.mean.push_back(0.1 * static_cast<double>(i));
    parts.normalisation.std.push_back(1 + 0.05 * static_cast<double>(i));
  }
  if (arrangement.sites == 1) parts.linear = in_double(normals(d * d, 21));
  return parts;
}

/// Blocks that are large enough for the device, with the same states as small blocks, which the host evaluates.
TEST_F(DeviceFieldTest, FieldsAgreeWithTheHost) {
  constexpr double rounding = 1e-5;  // of single precision
  constexpr int lanes = 300, directions = 2;
  const struct {
    Arrangement arrangement;
    network::Architecture architecture;
  } cases[] = {{{3, 1}, network::mlp({3, 20, 3})}, {{2, 8}, network::patch(8, 2, 1, {12, 9})}};
  for (const auto& [arrangement, architecture] : cases) {
    const NetworkField host(score_of(arrangement, architecture)), device(score_of(arrangement, architecture), 10, true);
    EXPECT_GT(device.best_lanes(), host.best_lanes());
    const auto rows = static_cast<std::size_t>(arrangement.dimension() * lanes);
    const std::vector<double> x = in_double(normals(rows, 22)), v = in_double(normals(directions * rows, 23));
    const std::vector<score::JacobianEntry> entries{{0, 0}, {1, 2}, {2, 1}, {2, 2}};
    std::vector<double> s[2], sv[2], values[2];
    for (const bool on_device : {false, true}) {
      const NetworkField& field = on_device ? device : host;
      s[on_device].resize(rows), sv[on_device].resize(directions * rows),
          values[on_device].resize(entries.size() * lanes);
      field.differentiate(x.data(), lanes, directions, v.data(), s[on_device].data(), sv[on_device].data());
      field.jacobian(x.data(), lanes, entries, s[on_device].data(), values[on_device].data());
    }
    const auto in_single = [](const std::vector<double>& numbers) {
      return std::vector<float>(numbers.begin(), numbers.end());
    };
    EXPECT_LT(difference(in_single(s[1]), s[0]), rounding);
    EXPECT_LT(difference(in_single(sv[1]), sv[0]), rounding);
    EXPECT_LT(difference(in_single(values[1]), values[0]), rounding);
    EXPECT_NE(s[1], s[0]);  // shows that the device was used
  }
}

}  // namespace
}  // namespace gfdt::gpu

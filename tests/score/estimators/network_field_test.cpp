#include "gfdt/score/fields/network_field.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "field_checks.hpp"

namespace gfdt::score {
namespace {

NetworkScore random_score(Arrangement arrangement, const network::Architecture& architecture, bool linear = false) {
  NetworkScore parts{.method = "test",
                     .arrangement = arrangement,
                     .normalisation = {},
                     .noise = 0.1,
                     .scale = -3,
                     .linear = {},
                     .network = network::Network<float>(architecture)};
  const int d = arrangement.dimension();
  for (int c = 0; c < d; ++c) {
    parts.normalisation.mean.push_back(0.1 * c - 0.3);
    parts.normalisation.std.push_back(0.5 + 0.2 * (c % 5));
  }
  for (int k = 0; linear && k < d * d; ++k) parts.linear.push_back(0.1 * (k % 7) - 0.2);
  parts.network.initialise(7);
  return parts;
}

NetworkField mlp(int dimension, bool linear) {
  return NetworkField(random_score({dimension, 1}, network::mlp({dimension, 20, 12, dimension}), linear));
}
NetworkField patch(int fields, int sites, int radius) {
  return NetworkField(random_score({fields, sites}, network::patch(sites, fields, radius, {16, 12})));
}

std::vector<JacobianEntry> all_entries(int dimension) {
  std::vector<JacobianEntry> entries;
  for (int column = 0; column < dimension; ++column)
    for (int row = 0; row < dimension; ++row) entries.push_back({row, column});
  return entries;
}

/// Compares derivatives with finite differences. The network has single precision: the error is 1e-7 of the outputs
/// over a step of 0.003, plus the square of the step.
void expect_derivatives_of_differences(const Field& field) {
  constexpr int lanes = 21, directions = 2;
  constexpr double step = 0.003, tolerance = 1e-3;
  const int d = field.dimension();
  const std::size_t block = static_cast<std::size_t>(d * lanes);
  const std::vector<double> x = normal_block(d, lanes), v = normal_block(directions * d, lanes, 2);
  std::vector<double> s(block), again(block), sv(directions * block), above(block), below(block), moved(block);
  field.evaluate(x.data(), lanes, s.data());
  field.differentiate(x.data(), lanes, directions, v.data(), again.data(), sv.data());
  EXPECT_EQ(s, again);
  double largest = 0;
  for (const double value : sv) largest = std::max(largest, std::abs(value));
  ASSERT_GT(largest, 0.1);
  for (std::size_t k = 0; k < directions; ++k) {
    for (std::size_t i = 0; i < block; ++i) moved[i] = x[i] + step * v[k * block + i];
    field.evaluate(moved.data(), lanes, above.data());
    for (std::size_t i = 0; i < block; ++i) moved[i] = x[i] - step * v[k * block + i];
    field.evaluate(moved.data(), lanes, below.data());
    for (std::size_t i = 0; i < block; ++i)
      ASSERT_NEAR(sv[k * block + i], (above[i] - below[i]) / (2 * step), tolerance * largest);
  }
}

/// Compares the Jacobian with derivatives along unit vectors.
void expect_exact_jacobian(const Field& field) {
  constexpr int lanes = 70;
  EXPECT_EQ(field.probes(), 0);
  const int d = field.dimension();
  const std::size_t block = static_cast<std::size_t>(d * lanes);
  const std::vector<double> x = normal_block(d, lanes);
  const std::vector<JacobianEntry> entries = all_entries(d);
  std::vector<double> s(block), again(block), slope(block), unit(block), values(entries.size() * lanes);
  field.evaluate(x.data(), lanes, s.data());
  field.jacobian(x.data(), lanes, entries, again.data(), values.data());
  EXPECT_EQ(s, again);
  for (int column = 0; column < d; ++column) {
    unit.assign(block, 0);
    std::fill_n(unit.begin() + column * lanes, lanes, 1.0);
    field.differentiate(x.data(), lanes, 1, unit.data(), again.data(), slope.data());
    for (std::size_t i = 0; i < block; ++i)
      ASSERT_NEAR(values[static_cast<std::size_t>(column) * block + i], slope[i], 1e-5 * (1 + std::abs(slope[i])));
  }
}

TEST(NetworkField, IsTheNetworkOfNormalisedStates) {
  const NetworkField field = mlp(3, true);
  const NetworkScore& parts = field.parts();
  const std::vector<double> x = normal_block(3, 1);
  float input[3], output[3];
  for (std::size_t c = 0; c < 3; ++c)
    input[c] = static_cast<float>((x[c] - parts.normalisation.mean[c]) / parts.normalisation.std[c]);
  parts.network.forward(*parts.network.workspace(1), 1, input, output);
  double s[3];
  field.evaluate(x.data(), 1, s);
  for (std::size_t c = 0; c < 3; ++c) {
    double expected = parts.scale * static_cast<double>(output[c]);
    for (std::size_t k = 0; k < 3; ++k) expected += parts.linear[3 * c + k] * static_cast<double>(input[k]);
    EXPECT_NEAR(s[c], expected / parts.normalisation.std[c], 1e-5);
  }
}

TEST(NetworkField, DerivativesAgreeWithFiniteDifferences) {
  expect_derivatives_of_differences(mlp(3, false));
  expect_derivatives_of_differences(mlp(3, true));
  expect_derivatives_of_differences(patch(2, 9, 2));
  expect_derivatives_of_differences(NetworkField(random_score({2, 20}, network::unet(20, 2, 8))));
}

TEST(NetworkField, JacobianOfSmallStatesIsExact) {
  expect_exact_jacobian(mlp(1, false));
  expect_exact_jacobian(mlp(3, true));
  expect_exact_jacobian(mlp(NetworkField::most_unit_directions, true));
}

TEST(NetworkField, JacobianThroughAWindowIsExactOnALongRing) {
  expect_exact_jacobian(patch(1, 20, 3));
  expect_exact_jacobian(patch(2, 13, 2));
  expect_exact_jacobian(patch(3, 7, 3));
}

TEST(NetworkField, JacobianVanishesBeyondTheWindow) {
  const NetworkField field = patch(1, 20, 3);
  const std::vector<double> x = normal_block(20, 4);
  const JacobianEntry entries[] = {{0, 4}, {0, 16}, {0, 3}, {0, 17}};
  std::vector<double> s(80), values(16);
  field.jacobian(x.data(), 4, entries, s.data(), values.data());
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(values[i], 0);
  for (std::size_t i = 8; i < 16; ++i) EXPECT_NE(values[i], 0);
}

TEST(NetworkField, IsEquivariantToShiftsOfTheRing) {
  constexpr int sites = 12, shift = 5;
  NetworkScore parts = random_score({2, sites}, network::patch(sites, 2, 2, {16}));
  parts.normalisation.mean.assign(2 * sites, 0.2);
  parts.normalisation.std.assign(2 * sites, 1.3);
  const NetworkField field(std::move(parts));
  const std::vector<double> x = normal_block(2 * sites, 1);
  std::vector<double> moved(x.size()), s(x.size()), moved_s(x.size());
  for (std::size_t field_number = 0; field_number < 2; ++field_number)
    for (std::size_t k = 0; k < sites; ++k)
      moved[field_number * sites + (k + shift) % sites] = x[field_number * sites + k];
  field.evaluate(x.data(), 1, s.data());
  field.evaluate(moved.data(), 1, moved_s.data());
  for (std::size_t field_number = 0; field_number < 2; ++field_number)
    for (std::size_t k = 0; k < sites; ++k)
      EXPECT_NEAR(moved_s[field_number * sites + (k + shift) % sites], s[field_number * sites + k], 1e-5);
}

// v_j (∇s v)_i for random signs v has the mean ∂s_i/∂x_j and the variance Σ_k≠j (∂s_i/∂x_k)².
TEST(NetworkField, ProbesTheJacobianOfALargeNetworkWithoutAWindow) {
  const NetworkField field(random_score({1, 20}, network::unet(20, 1, 8)), 4000);
  EXPECT_EQ(field.probes(), 4000);
  const std::vector<double> x = normal_block(20, 1);
  const JacobianEntry entries[] = {{0, 0}, {7, 8}};
  std::vector<double> s(20), values(2), slope(20);
  field.jacobian(x.data(), 1, entries, s.data(), values.data());
  for (std::size_t e = 0; e < 2; ++e) {
    std::vector<double> unit(20);
    unit[static_cast<std::size_t>(entries[e].column)] = 1;
    field.differentiate(x.data(), 1, 1, unit.data(), s.data(), slope.data());
    double variance = 0;
    for (std::size_t k = 0; k < 20; ++k) {
      std::vector<double> other(20), along(20);
      other[k] = 1;
      field.differentiate(x.data(), 1, 1, other.data(), s.data(), along.data());
      if (k != static_cast<std::size_t>(entries[e].column))
        variance += along[static_cast<std::size_t>(entries[e].row)] * along[static_cast<std::size_t>(entries[e].row)];
    }
    // Four standard errors: a false-alarm rate of 1/8000.
    EXPECT_NEAR(values[e], slope[static_cast<std::size_t>(entries[e].row)], 4 * std::sqrt(variance / 4000));
  }
}

TEST(NetworkField, IsBitIdenticalInAnyBlockAndOnManyThreads) {
  const NetworkField field = patch(1, 16, 2);
  constexpr int lanes = 203;
  const std::vector<double> x = normal_block(16, lanes);
  std::vector<double> s(x.size());
  field.evaluate(x.data(), lanes, s.data());
  std::vector<std::vector<double>> results(4, std::vector<double>(x.size()));
  {
    std::vector<std::jthread> threads;
    for (auto& result : results)
      threads.emplace_back([&] {
        for (int repeat = 0; repeat < 20; ++repeat) field.evaluate(x.data(), lanes, result.data());
      });
  }
  for (const auto& result : results) EXPECT_EQ(result, s);
  for (const int lane : {0, 1, 63, 64, 202}) {
    std::vector<double> state(16), alone(16);
    for (int c = 0; c < 16; ++c) state[static_cast<std::size_t>(c)] = x[static_cast<std::size_t>(c * lanes + lane)];
    field.evaluate(state.data(), 1, alone.data());
    for (int c = 0; c < 16; ++c)
      EXPECT_EQ(alone[static_cast<std::size_t>(c)], s[static_cast<std::size_t>(c * lanes + lane)]);
  }
}

TEST(NetworkField, RejectsInconsistentParts) {
  EXPECT_NE(complaint([] { NetworkField(random_score({4, 1}, network::mlp({3, 5, 3}))); }), "");
  EXPECT_NE(complaint([] {
              NetworkScore parts = random_score({3, 1}, network::mlp({3, 5, 3}));
              parts.normalisation.std.pop_back();
              NetworkField(std::move(parts));
            }),
            "");
  EXPECT_NE(complaint([] {
              NetworkScore parts = random_score({3, 1}, network::mlp({3, 5, 3}));
              parts.linear.assign(4, 1.0);
              NetworkField(std::move(parts));
            }),
            "");
}

}  // namespace
}  // namespace gfdt::score

#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "gfdt/base/philox.hpp"
#include "gfdt/score/estimators/samples.hpp"
#include "gfdt/score/fields/field.hpp"

namespace gfdt::score {

/// Independent normals, [sample][component], with ten samples per group.
inline Samples normal_samples(Arrangement arrangement, std::size_t count, std::uint64_t seed = 5) {
  const codegen::Stream stream(seed, codegen::Purpose::test, 0);
  Samples samples{arrangement, {}, {}, {}};
  for (int i = 0; i < arrangement.dimension(); ++i) {
    samples.names.emplace_back("x");
    samples.names.back() += std::to_string(i);
  }
  for (std::size_t i = 0; i < count * samples.names.size(); ++i) samples.values.push_back(stream.normal(i));
  for (std::size_t i = 0; i < count; ++i) samples.group.push_back(static_cast<std::uint32_t>(i / 10));
  return samples;
}

/// A block of normals.
inline std::vector<double> normal_block(int rows, int lanes, std::uint32_t id = 1) {
  const codegen::Stream stream(11, codegen::Purpose::test, id);
  std::vector<double> block(static_cast<std::size_t>(rows * lanes));
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = stream.normal(i);
  return block;
}

/// Compares (∇s)v with (s(x + hv) − s(x − hv))/2h, and the entries of the Jacobian with derivatives along unit vectors.
/// Also expects bit-identical s from all three functions and in blocks of any size.
inline void expect_consistent(const Field& field, double step = 1e-5, double tolerance = 1e-7) {
  const int d = field.dimension(), lanes = 19, directions = 3;
  const std::size_t block = static_cast<std::size_t>(d * lanes);
  const std::vector<double> x = normal_block(d, lanes), v = normal_block(directions * d, lanes, 2);
  std::vector<double> s(block), again(block), sv(directions * block), above(block), below(block), moved(block);
  field.evaluate(x.data(), lanes, s.data());
  field.differentiate(x.data(), lanes, directions, v.data(), again.data(), sv.data());
  EXPECT_EQ(s, again);
  for (std::size_t k = 0; k < directions; ++k) {
    for (std::size_t i = 0; i < block; ++i) moved[i] = x[i] + step * v[k * block + i];
    field.evaluate(moved.data(), lanes, above.data());
    for (std::size_t i = 0; i < block; ++i) moved[i] = x[i] - step * v[k * block + i];
    field.evaluate(moved.data(), lanes, below.data());
    for (std::size_t i = 0; i < block; ++i)
      ASSERT_NEAR(sv[k * block + i], (above[i] - below[i]) / (2 * step), tolerance * (1 + std::abs(sv[k * block + i])));
  }
  std::vector<JacobianEntry> entries;
  for (int column = d - 1; column >= 0; --column)
    for (int row = 0; row < d; ++row)
      if ((row + 2 * column) % 3 != 1 || row == column) entries.push_back({row, column});
  std::vector<double> values(entries.size() * lanes), unit(block), slope(block);
  field.jacobian(x.data(), lanes, entries, again.data(), values.data());
  EXPECT_EQ(s, again);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    unit.assign(block, 0.0);
    for (int lane = 0; lane < lanes; ++lane) unit[static_cast<std::size_t>(entries[e].column * lanes + lane)] = 1;
    field.differentiate(x.data(), lanes, 1, unit.data(), again.data(), slope.data());
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double expected = slope[static_cast<std::size_t>(entries[e].row * lanes) + lane];
      ASSERT_NEAR(values[e * lanes + lane], expected, 1e-12 * (1 + std::abs(expected)));
    }
  }
  for (int lane = 0; lane < lanes; ++lane) {
    std::vector<double> state, alone(static_cast<std::size_t>(d));
    for (int i = 0; i < d; ++i) state.push_back(x[static_cast<std::size_t>(i * lanes + lane)]);
    field.evaluate(state.data(), 1, alone.data());
    for (int i = 0; i < d; ++i)
      ASSERT_EQ(alone[static_cast<std::size_t>(i)], s[static_cast<std::size_t>(i * lanes + lane)]);
  }
}

/// The message of the exception that a call throws; empty if it throws none.
template <class Call>
std::string complaint(const Call& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace gfdt::score

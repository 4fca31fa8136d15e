#include <gmock/gmock.h>

#include <atomic>
#include <set>

#include "field_checks.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/score/estimators/block_product.hpp"
#include "gfdt/score/fields/callable_field.hpp"
#include "gfdt/score/fields/probes.hpp"

namespace gfdt::score {
namespace {

using testing::HasSubstr;

/// s_i = −x_i³ + x_i x_{i+1} on a ring.
CallableField cubic(int dimension) {
  const auto next = [](std::size_t i, std::size_t d) { return (i + 1) % d; };
  return {dimension,
          [next](std::span<const double> x, std::span<double> s) {
            for (std::size_t i = 0; i < x.size(); ++i) s[i] = -x[i] * x[i] * x[i] + x[i] * x[next(i, x.size())];
          },
          [next](std::span<const double> x, std::span<const double> v, std::span<double> sv) {
            for (std::size_t i = 0; i < x.size(); ++i) {
              const std::size_t j = next(i, x.size());
              sv[i] = (-3 * x[i] * x[i] + x[j]) * v[i] + x[i] * v[j];
            }
          },
          "a cubic"};
}

TEST(CallableField, EvaluatesTheFunctionsAtEachState) {
  expect_consistent(cubic(5));
  EXPECT_EQ(cubic(5).description(), "a cubic");
  EXPECT_EQ(cubic(5).probes(), 0);
}

TEST(CallableField, RejectsDerivativesThatWereNotProvided) {
  const CallableField field(1, [](std::span<const double> x, std::span<double> s) { s[0] = -x[0]; });
  const double x = 0.5, v = 1;
  double s = 0, sv = 0;
  field.evaluate(&x, 1, &s);
  EXPECT_EQ(s, -0.5);
  const JacobianEntry entry{0, 0};
  EXPECT_THAT(complaint([&] { field.differentiate(&x, 1, 1, &v, &s, &sv); }), HasSubstr("without its derivative"));
  EXPECT_THAT(complaint([&] { field.jacobian(&x, 1, {&entry, 1}, &s, &sv); }), HasSubstr("without its derivative"));
  EXPECT_THROW(CallableField(1, {}), Error);
}

TEST(Jacobian, UsesOneDirectionPerColumn) {
  std::atomic<int> calls = 0;
  const CallableField field(
      50, [](std::span<const double> x, std::span<double> s) { std::copy(x.begin(), x.end(), s.begin()); },
      [&](std::span<const double>, std::span<const double> v, std::span<double> sv) {
        ++calls;
        std::copy(v.begin(), v.end(), sv.begin());
      });
  std::vector<JacobianEntry> entries;
  for (int column = 0; column < 40; ++column)
    for (const int row : {column, column + 1, 7}) entries.push_back({row, column});
  const std::vector<double> x(50, 1.0);
  std::vector<double> s(50), values(entries.size());
  field.jacobian(x.data(), 1, entries, s.data(), values.data());
  EXPECT_EQ(calls, 40);
  for (std::size_t e = 0; e < entries.size(); ++e) EXPECT_EQ(values[e], entries[e].row == entries[e].column ? 1 : 0);
}

TEST(Jacobian, WithoutEntriesIsTheScore) {
  const CallableField field(2, [](std::span<const double> x, std::span<double> s) { s[0] = x[1], s[1] = x[0]; });
  const double x[] = {3, 4};
  double s[2];
  field.jacobian(x, 1, {}, s, nullptr);
  EXPECT_EQ(s[0], 4);
  EXPECT_EQ(s[1], 3);
}

TEST(BlockProduct, MultipliesEachLane) {
  for (const auto& [rows, columns, lanes] : {std::array{1, 1, 1}, {5, 3, 16}, {4, 7, 35}, {36, 36, 64}}) {
    const std::vector<double> matrix = normal_block(rows, columns), x = normal_block(columns, lanes, 3);
    std::vector<double> y(static_cast<std::size_t>(rows * lanes));
    block_product(matrix.data(), rows, columns, x.data(), lanes, y.data());
    for (int i = 0; i < rows; ++i)
      for (int lane = 0; lane < lanes; ++lane) {
        double expected = 0;
        for (int j = 0; j < columns; ++j)
          expected += matrix[static_cast<std::size_t>(i * columns + j)] * x[static_cast<std::size_t>(j * lanes + lane)];
        ASSERT_NEAR(y[static_cast<std::size_t>(i * lanes + lane)], expected, 1e-12);
      }
  }
}

TEST(Probes, AreAFunctionOfTheStateAndTheNumber) {
  const int d = 200, lanes = 5, probes = 3;
  const std::vector<double> x = normal_block(d, lanes);
  std::vector<double> v(static_cast<std::size_t>(probes * d * lanes)), alone(static_cast<std::size_t>(probes * d));
  fill_probes(x.data(), lanes, d, probes, v.data());
  std::set<std::vector<double>> different;
  for (int lane = 0; lane < lanes; ++lane) {
    std::vector<double> state;
    for (int i = 0; i < d; ++i) state.push_back(x[static_cast<std::size_t>(i * lanes + lane)]);
    fill_probes(state.data(), 1, d, probes, alone.data());
    for (std::size_t i = 0; i < alone.size(); ++i) {
      ASSERT_EQ(std::abs(alone[i]), 1);
      ASSERT_EQ(alone[i], v[i * lanes + static_cast<std::size_t>(lane)]);
    }
    for (int probe = 0; probe < probes; ++probe)
      different.insert({alone.begin() + probe * d, alone.begin() + (probe + 1) * d});
    // The last bit of the last component matters, too.
    state.back() = std::nextafter(state.back(), 10.0);
    fill_probes(state.data(), 1, d, 1, alone.data());
    different.insert({alone.begin(), alone.begin() + d});
  }
  EXPECT_EQ(different.size(), static_cast<std::size_t>(lanes * (probes + 1)));
}

TEST(Probes, TreatZeroAndMinusZeroAsTheSameState) {
  const double zero = 0.0, minus_zero = -0.0;
  std::vector<double> a(64), b(64);
  fill_probes(&zero, 1, 1, 64, a.data());
  fill_probes(&minus_zero, 1, 1, 64, b.data());
  EXPECT_EQ(a, b);
}

// Means of products of n independent signs are within 4.9/√n of 0 except with probability 1e-6: with 36 pairs, the
// false-alarm rate is 4e-5.
TEST(Probes, HaveIndependentSigns) {
  const int d = 8, lanes = 4000, probes = 4;
  const std::vector<double> x = normal_block(d, lanes);
  std::vector<double> v(static_cast<std::size_t>(d * lanes * probes));
  fill_probes(x.data(), lanes, d, probes, v.data());
  for (int i = 0; i < d; ++i)
    for (int j = 0; j <= i; ++j) {
      double total = 0;
      for (int probe = 0; probe < probes; ++probe)
        for (int lane = 0; lane < lanes; ++lane) {
          const double other = i == j ? 1 : v[static_cast<std::size_t>((probe * d + j) * lanes + lane)];
          total += v[static_cast<std::size_t>((probe * d + i) * lanes + lane)] * other;
        }
      EXPECT_LT(std::abs(total), 4.9 * std::sqrt(probes * lanes)) << i << " " << j;
    }
}

// The estimate of entry (i, j) from a probe is J_ij plus terms J_ik v_j v_k with mean zero. The bound is 4.9 standard
// errors: probability 1e-6 for each of 9 entries.
TEST(ProbedJacobian, IsUnbiased) {
  const double j[3][3] = {{-2, 0.5, 0.1}, {0.5, -1, 0.3}, {0.1, 0.3, -3}};
  const CallableField field(
      3, [](std::span<const double> x, std::span<double> s) { std::copy(x.begin(), x.end(), s.begin()); },
      [&](std::span<const double>, std::span<const double> v, std::span<double> sv) {
        for (std::size_t i = 0; i < 3; ++i) sv[i] = j[i][0] * v[0] + j[i][1] * v[1] + j[i][2] * v[2];
      });
  const int lanes = 2000, probes = 5;
  const std::vector<double> x = normal_block(3, lanes);
  std::vector<JacobianEntry> entries;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) entries.push_back({row, column});
  std::vector<double> s(x.size()), values(entries.size() * lanes);
  probed_jacobian(field, x.data(), lanes, entries, probes, s.data(), values.data());
  EXPECT_EQ(s, x);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    double mean = 0, variance = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) mean += values[e * lanes + lane] / lanes;
    for (std::size_t k = 0; k < 3; ++k)
      if (static_cast<int>(k) != entries[e].column) variance += j[entries[e].row][k] * j[entries[e].row][k];
    EXPECT_NEAR(mean, j[entries[e].row][entries[e].column], 4.9 * std::sqrt(variance / (lanes * probes)));
  }
}

}  // namespace
}  // namespace gfdt::score

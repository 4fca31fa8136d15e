#include "gfdt/jacobian/remainder/polynomial_basis.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::jacobian {
namespace {

using symbolic::Description;

TEST(Monomials, AreAllUpToTheDegreeEachOnce) {
  EXPECT_EQ(Monomials(1, 6).count(), 7);
  EXPECT_EQ(Monomials(3, 4).count(), 35);
  const Monomials monomials(2, 3);
  const double z[] = {2.0, -1.0, 3.0, 0.5};  // two lanes: (2, 3), (−1, 0.5)
  std::vector<double> values(static_cast<std::size_t>(monomials.count()) * 2);
  monomials.evaluate(z, 2, values.data());
  std::vector<double> first;
  for (std::size_t k = 0; k < values.size(); k += 2) first.push_back(values[k]);
  EXPECT_THAT(first, testing::UnorderedElementsAre(1, 2, 3, 4, 6, 9, 8, 12, 18, 27));
  EXPECT_EQ(first[0], 1);
}

TEST(Monomials, AreDifferentiated) {
  const Monomials monomials(2, 4);
  const std::size_t count = static_cast<std::size_t>(monomials.count());
  std::vector<double> coefficients(count);
  for (std::size_t k = 0; k < count; ++k) coefficients[k] = 0.3 * static_cast<double>(k) - 1;
  const auto value = [&](const std::vector<double>& c, double x, double y) {
    const double z[] = {x, y};
    std::vector<double> powers(count);
    monomials.evaluate(z, 1, powers.data());
    double total = 0;
    for (std::size_t k = 0; k < count; ++k) total += c[k] * powers[k];
    return total;
  };
  const double h = 1e-5, x = 0.7, y = -1.2;
  EXPECT_NEAR(value(monomials.derivative(coefficients, 0), x, y),
              (value(coefficients, x + h, y) - value(coefficients, x - h, y)) / (2 * h), 1e-8);
  EXPECT_NEAR(value(monomials.derivative(coefficients, 1), x, y),
              (value(coefficients, x, y + h) - value(coefficients, x, y - h)) / (2 * h), 1e-8);
}

symbolic::Model two_states() {
  return symbolic::build(Description()
                             .parameter("a", 0.7)
                             .parameter("b", 0.4)
                             .state("x", "-a*x + y", "b*(1 + x^2)")
                             .state("y", "-y*x - a", "0.5"));
}

/// At a single state the "mean" of a row times a function is their product, and <gφ> is J·∇φ + ½M:∇∇φ there.
TEST(PolynomialBasis, KnowsWhatAConjugateDoesToEveryFunction) {
  const symbolic::Model model = two_states();
  const StateScale scale{{0.3, -0.2}, {1.5, 0.8}};
  const PolynomialBasis basis(model, {"a", "b"}, 3, scale, codegen::Backend::interpreter, 0);
  const std::size_t lanes = basis.memory().normalised.size() / 2, count = static_cast<std::size_t>(basis.functions());
  const double x = 0.9, y = -0.6, b = 0.4;
  codegen::AlignedArray<double> record(2 * lanes), functions(count * lanes),
      dynamics(static_cast<std::size_t>(basis.dynamics_rows()) * lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane) record[lane] = x, record[lanes + lane] = y;
  auto memory = basis.memory();
  basis.evaluate(record.data(), functions.data(), dynamics.data(), memory);
  std::vector<double> means;
  for (int row = 0; row < basis.dynamics_rows(); ++row)
    for (std::size_t k = 0; k < count; ++k)
      means.push_back(dynamics[static_cast<std::size_t>(row) * lanes] * functions[k * lanes]);
  const auto phi = [&](std::size_t k, double at_x, double at_y) {
    const double z[] = {(at_x - 0.3) / 1.5, (at_y + 0.2) / 0.8};
    std::vector<double> values(count);
    Monomials(2, 3).evaluate(z, 1, values.data());
    return values[k];
  };
  const double h = 1e-4;
  const std::vector<double> of_a = basis.targets(0, means), of_b = basis.targets(1, means);
  for (std::size_t k = 0; k < count; ++k) {
    const double along_x = (phi(k, x + h, y) - phi(k, x - h, y)) / (2 * h);
    const double along_y = (phi(k, x, y + h) - phi(k, x, y - h)) / (2 * h);
    const double twice_x = (phi(k, x + h, y) - 2 * phi(k, x, y) + phi(k, x - h, y)) / (h * h);
    EXPECT_NEAR(of_a[k], -x * along_x - along_y, 1e-6) << k;
    EXPECT_NEAR(of_b[k], b * std::pow(1 + x * x, 2) * twice_x, 1e-5) << k;  // ½M, M = 2b(1 + x²)²
  }
}

TEST(PolynomialBasis, HasADegreeThatTheRunCanBear) {
  const symbolic::Model one = symbolic::build(Description().state("x", "-x", "1"));
  EXPECT_EQ(basis_degree(one, 1e5), 6);
  EXPECT_EQ(basis_degree(one, 200), 3);
  EXPECT_EQ(basis_degree(one, 100), 0);
  EXPECT_EQ(basis_degree(two_states(), 1e5), 6);
  const symbolic::Model ring = symbolic::build(Description().index("k", 8).state("X[k]", "-X[k] + X[k-1]", "1"));
  EXPECT_EQ(basis_degree(ring, 1e9), 0);
}

}  // namespace
}  // namespace gfdt::jacobian

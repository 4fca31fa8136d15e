#include "gfdt/score/exact/gauss_legendre.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace gfdt::score {
namespace {

constexpr std::size_t n = GaussLegendre::points;

/// P_0 … P_n at ξ, by (k + 1) P_{k+1} = (2k + 1) ξ P_k − k P_{k−1}.
std::array<double, n + 1> legendre(double xi) {
  std::array<double, n + 1> p{1.0, xi};
  for (std::size_t k = 1; k < n; ++k) {
    const double degree = static_cast<double>(k);
    p[k + 1] = ((2 * degree + 1) * xi * p[k] - degree * p[k - 1]) / (degree + 1);
  }
  return p;
}

/// P_n′ = n (ξ P_n − P_{n−1})/(ξ² − 1)
double slope(double xi, const std::array<double, n + 1>& p) {
  return static_cast<double>(n) * (xi * p[n] - p[n - 1]) / (xi * xi - 1);
}

}  // namespace

GaussLegendre::GaussLegendre() {
  for (std::size_t i = 0; i < n; ++i) {
    double xi = -std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (static_cast<double>(n) + 0.5));
    for (int iteration = 0; iteration < 10; ++iteration) {
      const auto p = legendre(xi);
      xi -= p[n] / slope(xi, p);
    }
    nodes[i] = xi;
    const double derivative = slope(xi, legendre(xi));
    weights[i] = 2 / ((1 - xi * xi) * derivative * derivative);
  }
  for (std::size_t i = 0; i < n; ++i) to_node[i] = weights_to(nodes[i]);
  to_middle = weights_to(0);
}

// ∫_{−1}^ξ P_k = (P_{k+1} − P_{k−1})/(2k + 1), and the coefficient of P_k is (2k + 1)/2 Σ_j w_j f_j P_k(ξ_j).
GaussLegendre::Row GaussLegendre::weights_to(double xi) const {
  const auto at = legendre(xi);
  Row row;
  for (std::size_t j = 0; j < n; ++j) {
    const auto p = legendre(nodes[j]);
    double total = (1 + xi) / 2;
    for (std::size_t k = 1; k < n; ++k) total += p[k] * (at[k + 1] - at[k - 1]) / 2;
    row[j] = weights[j] * total;
  }
  return row;
}

const GaussLegendre& gauss_legendre() {
  static const GaussLegendre rule;
  return rule;
}

}  // namespace gfdt::score

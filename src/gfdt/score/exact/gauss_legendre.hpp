#pragma once

#include <array>

namespace gfdt::score {

/// Gauss–Legendre quadrature on [−1, 1], exact for polynomials up to degree 31.
struct GaussLegendre {
  static constexpr int points = 16;
  using Row = std::array<double, points>;

  Row nodes;
  Row weights;
  std::array<Row, points> to_node;  ///< to_node[i] integrates from −1 to node i
  Row to_middle;                    ///< integrates from −1 to 0

  GaussLegendre();

  /// The weights that integrate the interpolating polynomial from −1 to ξ.
  Row weights_to(double xi) const;
};

const GaussLegendre& gauss_legendre();

}  // namespace gfdt::score

#pragma once

#include "gfdt/network/matrix_product.hpp"

// Convolution of kernel 5 by the Toom–Cook algorithm (Winograd's minimal filtering): 4 outputs from a window of 8
// inputs need 8 multiplications instead of 20. With n = 8 points a_p = 0, ±1, ±2, ±½, ∞,
//
//   y = Aᵀ[(G w) ⊙ (Bᵀ x)],   Aᵀ[i][p] = a_pⁱ,   G[p][t] = a_pᵗ / Π_{q≠p}(a_p − a_q),
// row p of Bᵀ = coefficients of Π_{q≠p}(z − a_q), the product over the finite points for p = ∞,
//
// where (G w) ⊙ (Bᵀ x) is a matrix product over channels for each point. The gradients are the transposed maps. No
// standard headers, because this file is compiled for each instruction set.
namespace gfdt::network {

inline constexpr int fast_kernel = 5, fast_outputs = 4, fast_points = 8;
/// Longer rings use direct convolution.
inline constexpr int fast_most_sites = 256;

/// Rings of sites and their transforms. Rings are [sample][site][channel] with strides; a transform is
/// [point][sample·tiles + tile][channels].
template <class T>
struct FastTransform {
  Rows<T> rings;  ///< rows are sites, blocks are samples
  T* points;
  long point_stride;
  int channels;
  int sites;
  int lead;  ///< distance in sites from the start of a tile's window to its first output
  int samples;

  int tiles() const { return (sites + fast_outputs - 1) / fast_outputs; }
};

}  // namespace gfdt::network

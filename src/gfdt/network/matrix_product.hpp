#pragma once

// The matrix products under the networks, on rows in memory. A row may overlap the next: the rows of a periodic
// convolution on a channels-last ring with a halo are windows that start one site after the other, so that it is one
// product without a copy. No standard headers: this is compiled for each instruction set.
namespace gfdt::network {

/// `blocks` blocks (samples) of `rows` rows (sites); strides count numbers.
template <class T>
struct Rows {
  T* data;
  long row_stride;
  long block_stride;
};

/// Columns come in multiples of this, zero beyond those that mean something, and start on a boundary of 64 bytes.
inline constexpr int column_unit = 16;

/// C[r] = bias + A[r] B, or C[r] += A[r] B.
template <class T>
struct Product {
  Rows<const T> a;
  int depth;        ///< numbers in a row of A
  const T* packed;  ///< B as `pack` lays it out
  const T* bias;    ///< [columns], may be null
  Rows<T> c;
  int columns;
  int rows;
  int blocks;
  bool accumulate;
};

/// G[k] += Σ_r A[r][k] D[r], with G [depth][columns].
template <class T>
struct OuterProduct {
  Rows<const T> a;
  int depth;
  Rows<const T> d;
  int columns;
  int rows;
  int blocks;
  T* g;
};

/// Rows [first, first + rows) of a matrix B of [depth][columns], taken from `rows` rows of `valid` numbers, or from the
/// columns of such a matrix of `valid` rows: laid out by panels of columns so that a product reads it in order. The
/// memory behind the source must be readable for another column_unit numbers.
template <class T>
struct Packing {
  const T* source;
  long source_stride;
  int rows;
  int valid;
  int first;
  int depth;
  int columns;
  T* packed;
};

}  // namespace gfdt::network

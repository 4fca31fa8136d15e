#pragma once

// Matrix products of the networks, on rows in memory. Rows may overlap: the rows of a periodic convolution on a
// channels-last ring with a halo are windows that start at consecutive sites, so that the convolution is a single
// product without copying. No standard headers, because this file is compiled for each instruction set.
namespace gfdt::network {

/// `blocks` blocks (samples) of `rows` rows (sites). Strides count numbers.
template <class T>
struct Rows {
  T* data;
  long row_stride;
  long block_stride;
};

/// Matrices have a multiple of this many columns, zero beyond the valid ones, and are aligned to 64 bytes.
inline constexpr int column_unit = 16;

/// C[r] = bias + A[r] B, or C[r] += A[r] B if `accumulate`.
template <class T>
struct Product {
  Rows<const T> a;
  int depth;        ///< numbers per row of A
  const T* packed;  ///< B in the layout of `pack`
  const T* bias;    ///< [columns]; may be null
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

/// Packs rows [first, first + rows) of a matrix B [depth][columns] into panels of columns, which a product reads
/// sequentially. The source has `rows` rows of `valid` numbers or, for `pack_transposed`, `valid` rows whose columns
/// are packed. The memory must be readable for column_unit numbers beyond the end of the source.
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

#pragma once

#include "gfdt/network/matrix_product.hpp"

// Element-wise operations between the matrix products. No standard headers, because this file is compiled for each
// instruction set. The number of channels is a multiple of column_unit.
namespace gfdt::network {

/// y = swish(x) and slope = swish′(x).
template <class T>
struct SwishRows {
  Rows<const T> x;
  Rows<T> y;
  Rows<T> slope;
  int channels;
  int rows;
  int blocks;
};

/// y = slope · x.
template <class T>
struct ScaleRows {
  Rows<const T> x;
  Rows<const T> slope;
  Rows<T> y;
  int channels;
  int rows;
  int blocks;
};

/// sum[c] += Σ_r x[r][c]
template <class T>
struct ColumnSums {
  Rows<const T> x;
  int channels;
  int rows;
  int blocks;
  T* sum;
};

/// Group normalization n = scale (x − mean)/√(variance + ε) + shift, with mean and variance over the channels of a
/// group and the rows of a block. The groups cover the first `groups`·`group_channels` channels.
template <class T>
struct GroupNormRows {
  Rows<const T> x;
  int channels;
  int rows;
  int blocks;
  int groups;
  int group_channels;
  const T* scale;  ///< [channels]; 0 beyond the groups
  const T* shift;
  T* mean;     ///< [blocks][channels]: mean of the channel's group
  T* inverse;  ///< [blocks][channels]: 1/√(variance + ε); 0 beyond the groups
  T* sums;     ///< [2][channels] workspace
};

inline constexpr double group_norm_epsilon = 1e-5;

/// An Adam step with the gradient g = scale Σ_slices gradient:
///   m ← β₁m + (1−β₁)g, v ← β₂v + (1−β₂)g², p ← p − rate · m/(√v + ε).
template <class T>
struct AdamStep {
  T* parameters;
  T* mean;
  T* square;
  const T* gradient;
  long slice_stride;
  int slices;
  long size;  ///< a multiple of column_unit
  T scale;
  T rate;  ///< includes the bias corrections
  T epsilon;
};

inline constexpr double adam_beta1 = 0.9, adam_beta2 = 0.999;

}  // namespace gfdt::network

#pragma once

#include "gfdt/network/elementwise.hpp"
#include "gfdt/network/fast_convolution.hpp"
#include "gfdt/network/matrix_product.hpp"

namespace gfdt::network {

/// Inner loops, compiled for the instruction set of this machine.
template <class T>
struct Kernels {
  void (*product)(const Product<T>&);
  void (*outer_product)(const OuterProduct<T>&);
  void (*pack)(const Packing<T>&);
  void (*pack_transposed)(const Packing<T>&);
  void (*swish)(const SwishRows<T>&);
  void (*scale)(const ScaleRows<T>&);
  void (*column_sums)(const ColumnSums<T>&);
  void (*group_norm)(const GroupNormRows<T>&, const Rows<T>& y, const Rows<T>* slope);
  void (*group_norm_tangent)(const GroupNormRows<T>&, const Rows<const T>& dx, const Rows<T>& dn);
  void (*group_norm_gradient)(const GroupNormRows<T>&, const Rows<const T>& dn, const Rows<T>& dx, T* dscale,
                              T* dshift);
  void (*adam)(const AdamStep<T>&);
  void (*fast_input)(const FastTransform<T>&);
  void (*fast_input_transposed)(const FastTransform<T>&);
  void (*fast_output)(const FastTransform<T>&, const T* bias);
  void (*fast_output_transposed)(const FastTransform<T>&);
  void (*fast_weights)(const T* taps, long count, T* points);
  void (*fast_weights_transposed)(const T* points, int rows, int columns, int valid, T* taps);
};

/// The kernels for the best instruction set of this machine.
template <class T>
const Kernels<T>& kernels();

}  // namespace gfdt::network

#include "gfdt/network/kernels.hpp"

#include "gfdt/codegen/lanes/isa.hpp"

namespace gfdt::network {

// clang-format off
GFDT_DECLARE_FOR_EACH_ISA(
  template <class T> void product(const Product<T>&);
  template <class T> void outer_product(const OuterProduct<T>&);
  template <class T> void pack(const Packing<T>&);
  template <class T> void pack_transposed(const Packing<T>&);
  template <class T> void swish(const SwishRows<T>&);
  template <class T> void scale(const ScaleRows<T>&);
  template <class T> void column_sums(const ColumnSums<T>&);
  template <class T> void group_norm(const GroupNormRows<T>&, const Rows<T>&, const Rows<T>*);
  template <class T> void group_norm_tangent(const GroupNormRows<T>&, const Rows<const T>&, const Rows<T>&);
  template <class T> void group_norm_gradient(const GroupNormRows<T>&, const Rows<const T>&, const Rows<T>&, T*, T*);
  template <class T> void adam(const AdamStep<T>&);
  template <class T> void fast_input(const FastTransform<T>&);
  template <class T> void fast_input_transposed(const FastTransform<T>&);
  template <class T> void fast_output(const FastTransform<T>&, const T*);
  template <class T> void fast_output_transposed(const FastTransform<T>&);
  template <class T> void fast_weights(const T*, long, T*);
  template <class T> void fast_weights_transposed(const T*, int, int, int, T*);
)
// clang-format on

template <class T>
const Kernels<T>& kernels() {
  static const lanes::Isa isa = lanes::best_isa();
  static const Kernels<T> chosen{
      GFDT_CHOOSE_ISA(isa, product<T>),
      GFDT_CHOOSE_ISA(isa, outer_product<T>),
      GFDT_CHOOSE_ISA(isa, pack<T>),
      GFDT_CHOOSE_ISA(isa, pack_transposed<T>),
      GFDT_CHOOSE_ISA(isa, swish<T>),
      GFDT_CHOOSE_ISA(isa, scale<T>),
      GFDT_CHOOSE_ISA(isa, column_sums<T>),
      GFDT_CHOOSE_ISA(isa, group_norm<T>),
      GFDT_CHOOSE_ISA(isa, group_norm_tangent<T>),
      GFDT_CHOOSE_ISA(isa, group_norm_gradient<T>),
      GFDT_CHOOSE_ISA(isa, adam<T>),
      GFDT_CHOOSE_ISA(isa, fast_input<T>),
      GFDT_CHOOSE_ISA(isa, fast_input_transposed<T>),
      GFDT_CHOOSE_ISA(isa, fast_output<T>),
      GFDT_CHOOSE_ISA(isa, fast_output_transposed<T>),
      GFDT_CHOOSE_ISA(isa, fast_weights<T>),
      GFDT_CHOOSE_ISA(isa, fast_weights_transposed<T>),
  };
  return chosen;
}

template const Kernels<float>& kernels();
template const Kernels<double>& kernels();

}  // namespace gfdt::network

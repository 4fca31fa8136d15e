#pragma once

#include "gfdt/codegen/lanes/vector.hpp"

// Arithmetic, comparisons and logic. A truth value is 1 or 0 in T, and any nonzero number counts as true. min, max and
// sign propagate NaN, so that a bound in a formula cannot hide an invalid state.
namespace GFDT_LANES_NAMESPACE {

/// Applies a scalar function in each lane. Used for rare functions without vector code of their own.
template <class V, class Function>
GFDT_LANES_INLINE V by_lane(V x, Function function) {
  V result{};
  for (int i = 0; i < width<Element<V>>; ++i) result[i] = function(x[i]);
  return result;
}

template <class V>
GFDT_LANES_INLINE V constant(double value) {
  return V{} + static_cast<Element<V>>(value);
}

GFDT_LANES_INLINE Vector<float> sqrt(Vector<float> x) {
#if defined(GFDT_LANES_GCC_X86) && defined(GFDT_LANES_AVX512)
  return __builtin_ia32_sqrtps512_mask(x, x, static_cast<unsigned short>(-1), 4);
#elif defined(GFDT_LANES_GCC_X86) && defined(GFDT_LANES_AVX2)
  return __builtin_ia32_sqrtps256(x);
#elif defined(GFDT_LANES_GCC_X86)
  return __builtin_ia32_sqrtps(x);
#else
  return by_lane(x, [](float lane) { return __builtin_sqrtf(lane); });
#endif
}

GFDT_LANES_INLINE Vector<double> sqrt(Vector<double> x) {
#if defined(GFDT_LANES_GCC_X86) && defined(GFDT_LANES_AVX512)
  return __builtin_ia32_sqrtpd512_mask(x, x, static_cast<unsigned char>(-1), 4);
#elif defined(GFDT_LANES_GCC_X86) && defined(GFDT_LANES_AVX2)
  return __builtin_ia32_sqrtpd256(x);
#elif defined(GFDT_LANES_GCC_X86)
  return __builtin_ia32_sqrtpd(x);
#else
  return by_lane(x, [](double lane) { return __builtin_sqrt(lane); });
#endif
}

GFDT_LANES_INLINE UnsignedVector<float> sign_bit(Vector<float> x) { return bits_of(x) & 0x80000000u; }
GFDT_LANES_INLINE UnsignedVector<double> sign_bit(Vector<double> x) { return bits_of(x) & 0x8000000000000000ull; }

template <class V>
GFDT_LANES_INLINE V abs(V x) {
  return from_bits(bits_of(x) ^ sign_bit(x));
}

/// `magnitude` (≥ 0) with the sign of `x`.
template <class V>
GFDT_LANES_INLINE V with_sign_of(V x, V magnitude) {
  return from_bits(bits_of(magnitude) | sign_bit(x));
}

/// −1, 0 or 1.
template <class V>
GFDT_LANES_INLINE V sign(V x) {
  return select(x > 0, constant<V>(1), select(x < 0, constant<V>(-1), x));
}

template <class V>
GFDT_LANES_INLINE V min(V a, V b) {
  return select((b < a) | (b != b), b, a);
}

template <class V>
GFDT_LANES_INLINE V max(V a, V b) {
  return select((b > a) | (b != b), b, a);
}

template <class V, class Mask>
GFDT_LANES_INLINE V truth(Mask mask) {
  return select(mask, constant<V>(1), V{});
}

template <class V>
GFDT_LANES_INLINE V less(V a, V b) {
  return truth<V>(a < b);
}
template <class V>
GFDT_LANES_INLINE V less_equal(V a, V b) {
  return truth<V>(a <= b);
}
template <class V>
GFDT_LANES_INLINE V equal(V a, V b) {
  return truth<V>(a == b);
}
template <class V>
GFDT_LANES_INLINE V logical_and(V a, V b) {
  return truth<V>((a != 0) & (b != 0));
}
template <class V>
GFDT_LANES_INLINE V logical_or(V a, V b) {
  return truth<V>((a != 0) | (b != 0));
}
template <class V>
GFDT_LANES_INLINE V logical_not(V a) {
  return truth<V>(a == 0);
}

}  // namespace GFDT_LANES_NAMESPACE

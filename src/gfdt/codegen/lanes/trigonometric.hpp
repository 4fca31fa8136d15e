#pragma once

#include "gfdt/codegen/lanes/arithmetic.hpp"
#include "gfdt/codegen/lanes/polynomial.hpp"

// sin and cos by Cody–Waite reduction, x = q π/2 + r: π/2 is split into parts so short that the product of q with each
// part is exact up to the limit. Larger arguments use the C library. Polynomials on |r| ≤ π/4 from Cephes.
namespace GFDT_LANES_NAMESPACE {

template <class T>
struct Circle;

template <>
struct Circle<float> {
  static constexpr float limit = 1e4f;
  GFDT_LANES_INLINE Vector<float> remainder(Vector<float> x, Vector<float> q) {
    return (((x - q * 0x1.92p0f) - q * 0x1.fb4p-12f) - q * 0x1.444p-24f) - q * 0x1.68c234p-39f;
  }
  GFDT_LANES_INLINE Vector<float> sine(Vector<float> r, Vector<float> z) {
    return r + r * (z * polynomial(z, -1.6666654611e-1f, 8.3321608736e-3f, -1.9515295891e-4f));
  }
  GFDT_LANES_INLINE Vector<float> cosine(Vector<float> z) {
    const auto p = polynomial(z, 4.166664568298827e-2f, -1.388731625493765e-3f, 2.443315711809948e-5f);
    return (z * z * p - 0.5f * z) + 1.0f;
  }
  static float library_sine(float x) { return __builtin_sinf(x); }
  static float library_cosine(float x) { return __builtin_cosf(x); }
};

template <>
struct Circle<double> {
  static constexpr double limit = 1e6;
  GFDT_LANES_INLINE Vector<double> remainder(Vector<double> x, Vector<double> q) {
    return ((x - q * 0x1.921fb544p0) - q * 0x1.0b4611a6p-34) - q * 0x1.3198a2e037073p-69;
  }
  GFDT_LANES_INLINE Vector<double> sine(Vector<double> r, Vector<double> z) {
    return r + r * (z * polynomial(z, -1.66666666666666307295e-1, 8.33333333332211858878e-3, -1.98412698295895385996e-4,
                                   2.75573136213857245213e-6, -2.50507477628578072866e-8, 1.58962301576546568060e-10));
  }
  GFDT_LANES_INLINE Vector<double> cosine(Vector<double> z) {
    const auto p = polynomial(z, 4.16666666666665929218e-2, -1.38888888888730564116e-3, 2.48015872888517045348e-5,
                              -2.75573141792967388112e-7, 2.08757008419747316778e-9, -1.13585365213876817300e-11);
    return (z * z * p - 0.5 * z) + 1.0;
  }
  static double library_sine(double x) { return __builtin_sin(x); }
  static double library_cosine(double x) { return __builtin_cos(x); }
};

template <class V>
[[maybe_unused]] static __attribute__((noinline, cold)) void replace_far_lanes(const V& x, V& result,
                                                                               Element<V> (*library)(Element<V>)) {
  for (int i = 0; i < width<Element<V>>; ++i)
    if (!(__builtin_fabs(static_cast<double>(x[i])) <= Circle<Element<V>>::limit)) result[i] = library(x[i]);
}

/// sin(x + turns π/2).
template <class V>
GFDT_LANES_INLINE V sine_turned(V x, int turns, Element<V> (*library)(Element<V>)) {
  using T = Element<V>;
  using F = Format<T>;
  using C = Circle<T>;
  const V shifted = x * static_cast<T>(0.636619772367581343076) + F::rounder;
  const V r = C::remainder(x, shifted - F::rounder);
  const V z = r * r;
  const auto quadrant = bits_of(shifted) + static_cast<typename F::Bits>(turns);
  const V magnitude = select((quadrant & 1) != 0, C::cosine(z), C::sine(r, z));
  constexpr int to_sign = static_cast<int>(8 * sizeof(T)) - 2;
  V result = from_bits(bits_of(magnitude) ^ ((quadrant & 2) << to_sign));
  const auto far = ~(abs(x) <= C::limit);
  if (__builtin_expect(any(far), false)) replace_far_lanes(x, result, library);
  return result;
}

template <class V>
GFDT_LANES_INLINE V sin(V x) {
  return sine_turned(x, 0, Circle<Element<V>>::library_sine);
}

template <class V>
GFDT_LANES_INLINE V cos(V x) {
  return sine_turned(x, 1, Circle<Element<V>>::library_cosine);
}

}  // namespace GFDT_LANES_NAMESPACE

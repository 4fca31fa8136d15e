#pragma once

#include "gfdt/codegen/lanes/vector.hpp"

namespace GFDT_LANES_NAMESPACE {

/// c₀ + c₁ x + c₂ x² + … by Horner's rule.
template <class V>
GFDT_LANES_INLINE V polynomial(V, Element<V> last) {
  return V{} + last;
}
template <class V, class... Coefficients>
GFDT_LANES_INLINE V polynomial(V x, Element<V> first, Element<V> second, Coefficients... others) {
  return polynomial(x, second, others...) * x + first;
}

/// Floating-point format. `rounder` is 1.5·2^p: adding it to a number rounds that number to an integer in the low bits.
template <class T>
struct Format;

template <>
struct Format<float> {
  typedef unsigned Bits;
  static constexpr int mantissa = 23;
  static constexpr Bits bias = 127;
  static constexpr float rounder = 0x1.8p23f;
  static constexpr Bits rounder_bits = 0x4b400000;
  static constexpr float smallest_normal = 0x1p-126f;
};

template <>
struct Format<double> {
  typedef unsigned long long Bits;
  static constexpr int mantissa = 52;
  static constexpr Bits bias = 1023;
  static constexpr double rounder = 0x1.8p52;
  static constexpr Bits rounder_bits = 0x4338000000000000;
  static constexpr double smallest_normal = 0x1p-1022;
};

}  // namespace GFDT_LANES_NAMESPACE

#pragma once

#include "gfdt/codegen/lanes/arithmetic.hpp"
#include "gfdt/codegen/lanes/polynomial.hpp"

// exp, log and the hyperbolic functions. The polynomials for e^r are minimax on |r| ≤ ½ ln 2; those for log and sinh
// follow Cephes and fdlibm.
namespace GFDT_LANES_NAMESPACE {

template <class T>
struct ExponentialRange;

template <>
struct ExponentialRange<float> {
  static constexpr float lowest = -105.0f;
  static constexpr float highest = 91.0f;
};

template <>
struct ExponentialRange<double> {
  static constexpr double lowest = -747.0;
  static constexpr double highest = 712.0;
};

// x = n ln 2 + r. ln 2 is split into two parts such that the product of n with the first part is exact.
GFDT_LANES_INLINE Vector<float> exp_remainder(Vector<float> x, Vector<float> n) {
  return (x - n * 0x1.62e4p-1f) - n * 0x1.7f7d1cp-20f;
}
GFDT_LANES_INLINE Vector<double> exp_remainder(Vector<double> x, Vector<double> n) {
  return (x - n * 0x1.62e42fefa38p-1) - n * 0x1.ef35793c7673p-45;
}

/// e^r − 1 for |r| ≤ ½ ln 2.
GFDT_LANES_INLINE Vector<float> expm1_near_zero(Vector<float> r) {
  const auto p = polynomial(r, 0.5000000096f, 0.166665183f, 0.04166620244f, 0.00836895388f, 0.001395070173f);
  return r * r * p + r;
}
GFDT_LANES_INLINE Vector<double> expm1_near_zero(Vector<double> r) {
  const auto p = polynomial(r, 0.50000000000000127, 0.16666666666666699, 0.041666666666515427, 0.0083333333333071474,
                            0.001388888894701474, 0.00019841269917508829, 2.480148994275496e-5, 2.7557216193599898e-6,
                            2.763128029684765e-7, 2.5117893058779139e-8);
  return r * r * p + r;
}

/// 2^shift e^x. The power of two is applied in two factors, so that neither overflows before the product does and a
/// subnormal result is rounded only once.
template <class V>
GFDT_LANES_INLINE V scaled_exp(V x, int shift) {
  using T = Element<V>;
  using F = Format<T>;
  x = select(x < ExponentialRange<T>::lowest, constant<V>(ExponentialRange<T>::lowest), x);
  x = select(x > ExponentialRange<T>::highest, constant<V>(ExponentialRange<T>::highest), x);
  const V shifted = x * static_cast<T>(1.44269504088896340736) + F::rounder;
  const V n = shifted - F::rounder;
  const auto whole = bits_of(shifted) - F::rounder_bits;
  // Shifting before subtracting the bias rounds n/2 towards −∞: 64-bit lanes have no arithmetic right shift.
  const auto half = (bits_of(shifted) >> 1) - F::rounder_bits / 2;
  const auto rest = whole - half + static_cast<typename F::Bits>(shift);
  return (expm1_near_zero(exp_remainder(x, n)) + 1) * from_bits((half + F::bias) << F::mantissa) *
         from_bits((rest + F::bias) << F::mantissa);
}

template <class V>
GFDT_LANES_INLINE V exp(V x) {
  return scaled_exp(x, 0);
}

// log of 2^k (1 + f) with √½ ≤ 1 + f < √2.
GFDT_LANES_INLINE Vector<float> log_assembled(Vector<float> f, Vector<float> k) {
  const auto p = polynomial(f, 3.3333331174e-1f, -2.4999993993e-1f, 2.0000714765e-1f, -1.6668057665e-1f,
                            1.4249322787e-1f, -1.2420140846e-1f, 1.1676998740e-1f, -1.1514610310e-1f, 7.0376836292e-2f);
  const auto square = f * f;
  const auto small = f * square * p - k * 2.12194440e-4f - 0.5f * square;
  return k * 0.693359375f + (f + small);
}
GFDT_LANES_INLINE Vector<double> log_assembled(Vector<double> f, Vector<double> k) {
  const auto s = f / (f + 2.0);
  const auto z = s * s;
  const auto r = z * polynomial(z, 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01,
                                2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01,
                                1.479819860511658591e-01);
  const auto half_square = 0.5 * f * f;
  return k * 6.93147180369123816490e-01 -
         ((half_square - (s * (half_square + r) + k * 1.90821492927058770002e-10)) - f);
}

template <class V>
GFDT_LANES_INLINE V log(V x) {
  using T = Element<V>;
  using F = Format<T>;
  constexpr auto infinity = static_cast<T>(__builtin_inf());
  constexpr auto lift = static_cast<T>(1LL << (F::mantissa + 2));
  const auto tiny = x < F::smallest_normal;
  const V lifted = select(tiny, x * lift, x);
  const V below_one = constant<V>(0.707106781186547524);
  // Exponent k + bias of lifted / √½.
  const auto biased = (bits_of(lifted) - bits_of(below_one) + (F::bias << F::mantissa)) >> F::mantissa;
  const V f = from_bits(bits_of(lifted) - ((biased - F::bias) << F::mantissa)) - 1;
  constexpr auto integers = static_cast<T>(1LL << F::mantissa);
  V k = from_bits(biased | bits_of(constant<V>(integers))) - (integers + static_cast<T>(F::bias));
  k = select(tiny, k - static_cast<T>(F::mantissa + 2), k);
  V result = log_assembled(f, k);
  result = select(x == infinity, x, result);
  result = select(x == 0, constant<V>(-infinity), result);
  return select((x < 0) | (x != x), constant<V>(__builtin_nan("")), result);
}

/// E / (E + 2) with E = e^{2|x|} − 1 = 2ⁿ (e^r − 1) + (2ⁿ − 1), accurate down to zero; 1 for |x| beyond `flat`.
template <class V>
GFDT_LANES_INLINE V tanh(V x) {
  using T = Element<V>;
  using F = Format<T>;
  constexpr T flat = sizeof(T) == 4 ? T(10) : T(20);
  V twice = abs(x) + abs(x);
  twice = select(twice > 2 * flat, constant<V>(2 * flat), twice);
  const V shifted = twice * static_cast<T>(1.44269504088896340736) + F::rounder;
  const V power = from_bits((bits_of(shifted) - F::rounder_bits + F::bias) << F::mantissa);
  const V e = power * expm1_near_zero(exp_remainder(twice, shifted - F::rounder)) + (power - 1);
  return with_sign_of(x, e / (e + 2));
}

GFDT_LANES_INLINE Vector<float> sinh_near_zero(Vector<float> x) {
  const auto z = x * x;
  return x + x * (z * polynomial(z, 0.1666671823f, 0.008330211909f, 0.0002037737184f));
}
GFDT_LANES_INLINE Vector<double> sinh_near_zero(Vector<double> x) {
  const auto z = x * x;
  return x + x * (z * polynomial(z, 0.16666666666666667, 0.008333333333333139, 0.00019841269841437565,
                                 2.7557319155367428e-6, 2.5052123394368413e-8, 1.6057240628894746e-10,
                                 7.7593043745099747e-13));
}

/// h − 1/(4h) with h = ½ e^{|x|}, except near zero.
template <class V>
GFDT_LANES_INLINE V sinh(V x) {
  const V half = scaled_exp(abs(x), -1);
  const V far = half - static_cast<Element<V>>(0.25) / half;
  return select(abs(x) < 1, sinh_near_zero(x), with_sign_of(x, far));
}

/// h + 1/(4h) with h = ½ e^{|x|}.
template <class V>
GFDT_LANES_INLINE V cosh(V x) {
  const V half = scaled_exp(abs(x), -1);
  return half + static_cast<Element<V>>(0.25) / half;
}

}  // namespace GFDT_LANES_NAMESPACE

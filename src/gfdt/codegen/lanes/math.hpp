#pragma once

#include "gfdt/codegen/lanes/arithmetic.hpp"
#include "gfdt/codegen/lanes/exponential.hpp"
#include "gfdt/codegen/lanes/trigonometric.hpp"

// The remaining functions of formulas, evaluated lane by lane with the C library.
namespace GFDT_LANES_NAMESPACE {

GFDT_LANES_INLINE Vector<float> tan(Vector<float> x) {
  return by_lane(x, [](float lane) { return __builtin_tanf(lane); });
}
GFDT_LANES_INLINE Vector<double> tan(Vector<double> x) {
  return by_lane(x, [](double lane) { return __builtin_tan(lane); });
}

GFDT_LANES_INLINE Vector<float> atan(Vector<float> x) {
  return by_lane(x, [](float lane) { return __builtin_atanf(lane); });
}
GFDT_LANES_INLINE Vector<double> atan(Vector<double> x) {
  return by_lane(x, [](double lane) { return __builtin_atan(lane); });
}

GFDT_LANES_INLINE Vector<float> erf(Vector<float> x) {
  return by_lane(x, [](float lane) { return __builtin_erff(lane); });
}
GFDT_LANES_INLINE Vector<double> erf(Vector<double> x) {
  return by_lane(x, [](double lane) { return __builtin_erf(lane); });
}

GFDT_LANES_INLINE Vector<float> pow(Vector<float> base, Vector<float> exponent) {
  Vector<float> result{};
  for (int i = 0; i < width<float>; ++i) result[i] = __builtin_powf(base[i], exponent[i]);
  return result;
}
GFDT_LANES_INLINE Vector<double> pow(Vector<double> base, Vector<double> exponent) {
  Vector<double> result{};
  for (int i = 0; i < width<double>; ++i) result[i] = __builtin_pow(base[i], exponent[i]);
  return result;
}

}  // namespace GFDT_LANES_NAMESPACE

#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "gfdt/codegen/lanes/isa.hpp"

namespace gfdt::lanes::test {

enum class Function { sqrt, exp, log, sin, cos, tan, sinh, cosh, tanh, atan, erf, abs, sign };
enum class Function2 { min, max, pow, less, less_equal, equal, logical_and, logical_or };

// Functions compiled for one instruction set, applied to arrays with a length that is a multiple of 16 and an alignment
// of 64 bytes.
GFDT_DECLARE_FOR_EACH_ISA(void apply_floats(Function function, const float* x, float* y, int n);
                          void apply_doubles(Function function, const double* x, double* y, int n);
                          void apply2_floats(Function2 function, const float* a, const float* b, float* y, int n);
                          void apply2_doubles(Function2 function, const double* a, const double* b, double* y, int n);
                          void widen(const float* x, double* y, int n); bool any_float(const float* x);
                          bool any_double(const double* x);)

/// Applies the version of a function for one instruction set to any number of arguments.
template <class T>
std::vector<T> apply(Isa isa, Function function, std::span<const T> x) {
  const auto run = [isa] {
    if constexpr (sizeof(T) == sizeof(float))
      return GFDT_CHOOSE_ISA(isa, apply_floats);
    else
      return GFDT_CHOOSE_ISA(isa, apply_doubles);
  }();
  std::vector<T> y;
  for (std::size_t start = 0; start < x.size(); start += 16) {
    alignas(64) T from[16] = {}, to[16] = {};
    const std::size_t count = std::min<std::size_t>(16, x.size() - start);
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(start), count, from);
    run(function, from, to, 16);
    y.insert(y.end(), to, to + count);
  }
  return y;
}

template <class T>
T apply(Isa isa, Function2 function, T a, T b) {
  const auto run = [isa] {
    if constexpr (sizeof(T) == sizeof(float))
      return GFDT_CHOOSE_ISA(isa, apply2_floats);
    else
      return GFDT_CHOOSE_ISA(isa, apply2_doubles);
  }();
  alignas(64) T first[16], second[16], result[16];
  std::fill_n(first, 16, a);
  std::fill_n(second, 16, b);
  run(function, first, second, result, 16);
  return result[7];
}

template <class T>
T apply(Isa isa, Function function, T x) {
  return apply<T>(isa, function, std::span<const T>(&x, 1)).front();
}

}  // namespace gfdt::lanes::test

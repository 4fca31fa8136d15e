#pragma once

// What device code names and a host compiler does not know. One thread runs at a time; those of a group take turns at
// barriers (fibers.hpp).
#include <math.h>
#include <string.h>

#define __device__
#define __forceinline__ inline __attribute__((always_inline))
#define __global__
#define __launch_bounds__(...)

struct ThreadNumber {
  unsigned x, y, z;
};
extern thread_local ThreadNumber threadIdx, blockIdx, blockDim, gridDim;

inline unsigned atomicAdd(unsigned* sum, unsigned value) {
  const unsigned before = *sum;
  *sum += value;
  return before;
}

inline unsigned __float_as_uint(float x) {
  unsigned bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline float __uint_as_float(unsigned bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

inline float device_log2(float x) { return log2f(x); }
inline float device_sqrt(float x) { return sqrtf(x); }
inline float device_sin(float x) { return sinf(x); }
inline float device_cos(float x) { return cosf(x); }

/// Calls a kernel with arguments that are given by their addresses.
template <class... Arguments, unsigned long... Numbers>
void call_with(void (*kernel)(Arguments...), void** arguments, std::integer_sequence<unsigned long, Numbers...>) {
  kernel(*static_cast<std::remove_const_t<Arguments>*>(arguments[Numbers])...);
}
template <class... Arguments>
void call_with(void (*kernel)(Arguments...), void** arguments) {
  call_with(kernel, arguments, std::make_integer_sequence<unsigned long, sizeof...(Arguments)>());
}

#pragma once

// Definitions of the CUDA names in device code for a host compiler. One thread runs at a time; the threads of a group
// alternate at barriers (fibers.hpp).
#include <math.h>
#include <string.h>

#define __device__
#define __forceinline__ inline __attribute__((always_inline))
#define __global__
#define __launch_bounds__(...)
#define __noinline__

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

inline long long clock64() {
  static long long calls = 0;
  return ++calls;
}
inline float device_logistic(float x) { return 1 / (1 + expf(-x)); }

struct float2 {
  float x, y;
};
inline float2 make_float2(float x, float y) { return {x, y}; }
struct float4 {
  float x, y, z, w;
};
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

// Set by the driver for code with barriers.
inline void (*wait_for_group)() = nullptr;
inline void (*wait_for_warp)() = nullptr;
inline void __syncthreads() { wait_for_group(); }

/// Shared memory of the largest size that real devices allow, initialized with NaN.
inline float* group_memory() {
  alignas(16) static float numbers[232448 / sizeof(float)];
  static const bool filled = (memset(numbers, 0xff, sizeof numbers), true);
  (void)filled;
  return numbers;
}

inline void copy_four(float* to, const float* from, bool real) {
  if (reinterpret_cast<unsigned long>(to) % 16 != 0 || reinterpret_cast<unsigned long>(from) % 16 != 0)
    __builtin_trap();
  for (int i = 0; i < 4; ++i) to[i] = real ? from[i] : 0;
}
inline void wait_for_copies() {}

inline float round_to_tile(float x) {
  return x != x ? x : __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);
}

/// The threads of a warp store their parts, wait for the others, and each sums its own numbers. Operands lose the bits
/// that tensor cores ignore.
inline void multiply_tile(float (&c)[4], const float (&a)[4], const float (&b)[2]) {
  static float all_a[2][32][4], all_b[2][32][2];
  static unsigned turns[1024];
  const unsigned lane = threadIdx.x % 32, turn = turns[threadIdx.x]++ % 2, g = lane / 4, q = lane % 4;
  for (int i = 0; i < 4; ++i) all_a[turn][lane][i] = __uint_as_float(__float_as_uint(a[i]) & 0xffffe000u);
  for (int i = 0; i < 2; ++i) all_b[turn][lane][i] = __uint_as_float(__float_as_uint(b[i]) & 0xffffe000u);
  wait_for_warp();
  for (unsigned e = 0; e < 4; ++e) {
    const unsigned row = g + 8 * (e / 2), column = 2 * q + e % 2;
    float sum = 0;
    for (unsigned k = 0; k < 8; ++k)
      sum += all_a[turn][row % 8 * 4 + k % 4][row / 8 + 2 * (k / 4)] * all_b[turn][column * 4 + k % 4][k / 4];
    c[e] += sum;
  }
}

/// Calls a kernel with arguments given by their addresses.
template <class... Arguments, unsigned long... Numbers>
void call_with(void (*kernel)(Arguments...), void** arguments, std::integer_sequence<unsigned long, Numbers...>) {
  kernel(*static_cast<std::remove_const_t<Arguments>*>(arguments[Numbers])...);
}
template <class... Arguments>
void call_with(void (*kernel)(Arguments...), void** arguments) {
  call_with(kernel, arguments, std::make_integer_sequence<unsigned long, sizeof...(Arguments)>());
}

#pragma once

// GPU instructions without an equivalent on the host: asynchronous copies to shared memory, products of small matrices
// by a warp, and functions with an accuracy of about 22 bits.

/// Rounds to the ten bits of mantissa that `multiply_tile` uses.
static inline __device__ float round_to_tile(float x) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return __uint_as_float(bits);
}

/// Copies four numbers, or zeros unless `real`, to shared memory asynchronously; `wait_for_copies` waits for
/// completion. Both addresses must be multiples of 16 bytes.
static inline __device__ void copy_four(float* to, const float* from, bool real) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
               :
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(to))), "l"(from), "r"(real ? 16 : 0)
               : "memory");
}
static inline __device__ void wait_for_copies() { asm volatile("cp.async.wait_all;" : : : "memory"); }

/// C += A B by a warp, where C is 16 × 8, A is 16 × 8 and B is 8 × 8. With g = lane/4 and q = lane%4, a thread holds
///   a: A[g][q], A[g + 8][q], A[g][q + 4], A[g + 8][q + 4]; b: B[q][g], B[q + 4][g];
///   c: C[g][2q], C[g][2q + 1], C[g + 8][2q], C[g + 8][2q + 1].
static inline __device__ void multiply_tile(float (&c)[4], const float (&a)[4], const float (&b)[2]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
      "%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])), "r"(__float_as_uint(a[3])),
        "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
}

/// 1/(1 + e^{−x})
static inline __device__ float device_logistic(float x) {
  float power, result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(-1.44269504f * x));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(1.0f + power));
  return result;
}

#pragma once

// Memory shared by the threads of a group, and hardware functions with an accuracy of about 22 bits. This is sufficient
// for normals, whose moments are correct to that accuracy.

/// Shared memory of the thread group; the launch sets its size.
static inline __device__ float* group_memory() {
  extern __shared__ float4 group_numbers[];
  return reinterpret_cast<float*>(group_numbers);
}

static inline __device__ float device_log2(float x) {
  float y;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
static inline __device__ float device_sqrt(float x) {
  float y;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
static inline __device__ float device_sin(float x) {
  float y;
  asm("sin.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
static inline __device__ float device_cos(float x) {
  float y;
  asm("cos.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

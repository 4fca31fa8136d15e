// Compiled for the machine it runs on, unlike the library: what its multiply-and-add units can do at most.
#include "peak.hpp"

#include <algorithm>
#include <chrono>

namespace gfdt::benchmark {

double peak_flops() {
#if defined(__AVX512F__)
  constexpr int bytes = 64;
#elif defined(__AVX__)
  constexpr int bytes = 32;
#else
  constexpr int bytes = 16;
#endif
  typedef float Vector __attribute__((vector_size(bytes)));
  constexpr int chains = 12;
  Vector sums[chains], factor = Vector{} + 0.999999f, term = Vector{} + 1e-3f;
  for (int i = 0; i < chains; ++i) sums[i] = Vector{} + static_cast<float>(i);
  constexpr long rounds = 20'000'000;
  double best = 0;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    Vector a[chains];
    for (int i = 0; i < chains; ++i) a[i] = sums[i];
    for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
      for (int i = 0; i < chains; ++i) a[i] = a[i] * factor + term;
    }
    for (int i = 0; i < chains; ++i) sums[i] = a[i];
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::max(best, 2.0 * (bytes / sizeof(float)) * chains * rounds / seconds);
  }
  float total = 0;
  for (const Vector& sum : sums) total += sum[0];
  return total == 12345.0f ? 0 : best;
}

}  // namespace gfdt::benchmark

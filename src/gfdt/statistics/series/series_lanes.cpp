// Compiled once for each instruction set; plain loops that the compiler vectorises.
#include "gfdt/codegen/lanes/independent.hpp"

namespace gfdt::statistics::GFDT_LANES_NAMESPACE {
namespace {

template <class T>
inline __attribute__((always_inline)) void add(const T* values, const double* reference, double* sum, double* square,
                                               long count) {
  GFDT_LANES_INDEPENDENT
  for (long i = 0; i < count; ++i) {
    const double v = static_cast<double>(values[i]) - reference[i];
    sum[i] += v;
    square[i] += v * v;
  }
}

}  // namespace

/// sum += v and square += v² of v = values − reference.
void add_floats(const float* values, const double* reference, double* sum, double* square, long count) {
  add(values, reference, sum, square, count);
}
void add_doubles(const double* values, const double* reference, double* sum, double* square, long count) {
  add(values, reference, sum, square, count);
}

/// sum += value and square += value².
void add_moments(const double* value, double* sum, double* square, long count) {
  GFDT_LANES_INDEPENDENT
  for (long i = 0; i < count; ++i) {
    sum[i] += value[i];
    square[i] += value[i] * value[i];
  }
}

}  // namespace gfdt::statistics::GFDT_LANES_NAMESPACE

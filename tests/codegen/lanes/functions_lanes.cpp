#include "gfdt/codegen/lanes/math.hpp"

namespace gfdt::lanes::test {

enum class Function { sqrt, exp, log, sin, cos, tan, sinh, cosh, tanh, atan, erf, abs, sign };
enum class Function2 { min, max, pow, less, less_equal, equal, logical_and, logical_or };

namespace GFDT_LANES_NAMESPACE {
namespace {

namespace vectors = ::GFDT_LANES_NAMESPACE;

template <class V>
V evaluate(Function function, V x) {
  switch (function) {
    case Function::sqrt:
      return vectors::sqrt(x);
    case Function::exp:
      return vectors::exp(x);
    case Function::log:
      return vectors::log(x);
    case Function::sin:
      return vectors::sin(x);
    case Function::cos:
      return vectors::cos(x);
    case Function::tan:
      return vectors::tan(x);
    case Function::sinh:
      return vectors::sinh(x);
    case Function::cosh:
      return vectors::cosh(x);
    case Function::tanh:
      return vectors::tanh(x);
    case Function::atan:
      return vectors::atan(x);
    case Function::erf:
      return vectors::erf(x);
    case Function::abs:
      return vectors::abs(x);
    case Function::sign:
      return vectors::sign(x);
  }
  return x;
}

template <class V>
V evaluate(Function2 function, V a, V b) {
  switch (function) {
    case Function2::min:
      return vectors::min(a, b);
    case Function2::max:
      return vectors::max(a, b);
    case Function2::pow:
      return vectors::pow(a, b);
    case Function2::less:
      return vectors::less(a, b);
    case Function2::less_equal:
      return vectors::less_equal(a, b);
    case Function2::equal:
      return vectors::equal(a, b);
    case Function2::logical_and:
      return vectors::logical_and(a, b);
    case Function2::logical_or:
      return vectors::logical_or(a, b);
  }
  return a;
}

template <class T>
void apply_all(Function function, const T* x, T* y, int n) {
  for (int i = 0; i < n; i += vectors::width<T>) vectors::store(y + i, evaluate(function, vectors::load(x + i)));
}

template <class T>
void apply_all(Function2 function, const T* a, const T* b, T* y, int n) {
  for (int i = 0; i < n; i += vectors::width<T>)
    vectors::store(y + i, evaluate(function, vectors::load(a + i), vectors::load(b + i)));
}

}  // namespace

void apply_floats(Function function, const float* x, float* y, int n) { apply_all(function, x, y, n); }
void apply_doubles(Function function, const double* x, double* y, int n) { apply_all(function, x, y, n); }
void apply2_floats(Function2 function, const float* a, const float* b, float* y, int n) {
  apply_all(function, a, b, y, n);
}
void apply2_doubles(Function2 function, const double* a, const double* b, double* y, int n) {
  apply_all(function, a, b, y, n);
}

void widen(const float* x, double* y, int n) {
  for (int i = 0; i < n; i += vectors::width<double>) vectors::store(y + i, vectors::load_as<double>(x + i));
}

bool any_float(const float* x) { return vectors::any(vectors::load(x) != 0); }
bool any_double(const double* x) { return vectors::any(vectors::load(x) != 0); }

}  // namespace GFDT_LANES_NAMESPACE
}  // namespace gfdt::lanes::test

// Compiled once for each instruction set.
#include "gfdt/codegen/lanes/vector.hpp"
#include "gfdt/statistics/series/spectrum.hpp"

namespace gfdt::statistics::GFDT_LANES_NAMESPACE {
namespace {

namespace v = ::GFDT_LANES_NAMESPACE;
using V = v::Vector<double>;
constexpr long width = v::width<double>;
constexpr long point_size = 2 * spectrum_lanes;
/// Number of points that fit into the innermost cache: blocks of this size are finished one after the other.
constexpr long cached_points = 128;

struct Complex {
  V re, im;
};

GFDT_LANES_INLINE Complex load(const double* at) { return {v::load(at), v::load(at + spectrum_lanes)}; }
GFDT_LANES_INLINE void store(double* at, Complex z) {
  v::store(at, z.re);
  v::store(at + spectrum_lanes, z.im);
}
GFDT_LANES_INLINE Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
GFDT_LANES_INLINE Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
GFDT_LANES_INLINE Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
GFDT_LANES_INLINE Complex operator+(V a, Complex b) { return {a + b.re, b.im}; }
GFDT_LANES_INLINE Complex operator-(V a, Complex b) { return {a - b.re, -b.im}; }
GFDT_LANES_INLINE Complex operator*(V a, Complex b) { return {a * b.re, a * b.im}; }
GFDT_LANES_INLINE Complex times_i(Complex a) { return {-a.im, a.re}; }
GFDT_LANES_INLINE Complex conjugate(Complex a) { return {a.re, -a.im}; }

GFDT_LANES_INLINE Complex root(const double* roots, long division) {
  return {v::broadcast(roots[2 * division]), v::broadcast(roots[2 * division + 1])};
}

/// The remainder before the first division is real; the others are complex.
GFDT_LANES_INLINE void read(const double* at, V& value) { value = v::load(at); }
GFDT_LANES_INLINE void read(const double* at, Complex& value) { value = load(at); }
template <class Number>
constexpr long size_of = sizeof(Number) == sizeof(V) ? spectrum_lanes : point_size;

/// Two divisions at once of a remainder of `length` numbers: by the one with the index `division`, and by the two below
/// it. √(√c) = r, √(−√c) = i·r, √c = r².
template <class Number>
GFDT_LANES_INLINE void divide_twice(const double* from, double* to, long length, const double* roots, long division) {
  const long quarter = length / 4;
  const Complex r = root(roots, 2 * division), r2 = root(roots, division), r3 = r * r2;
  for (long n = 0; n < quarter; ++n)
    for (long lane = 0; lane < spectrum_lanes; lane += width) {
      Number x0, x1, x2, x3;
      read(from + n * size_of<Number> + lane, x0);
      read(from + (n + quarter) * size_of<Number> + lane, x1);
      read(from + (n + 2 * quarter) * size_of<Number> + lane, x2);
      read(from + (n + 3 * quarter) * size_of<Number> + lane, x3);
      const Complex p1 = x1 * r, p2 = x2 * r2, p3 = x3 * r3;
      const Complex plus = x0 + p2, minus = x0 - p2, sum = p1 + p3, difference = times_i(p1 - p3);
      double* place = to + n * point_size + lane;
      store(place, plus + sum);
      store(place + quarter * point_size, plus - sum);
      store(place + 2 * quarter * point_size, minus + difference);
      store(place + 3 * quarter * point_size, minus - difference);
    }
}

/// The inverse of divide_twice, times 4.
GFDT_LANES_INLINE void multiply_twice(double* x, long length, const double* roots, long division) {
  const long quarter = length / 4;
  const Complex r = conjugate(root(roots, 2 * division)), r2 = conjugate(root(roots, division)), r3 = r * r2;
  for (long n = 0; n < quarter; ++n)
    for (long lane = 0; lane < spectrum_lanes; lane += width) {
      double* place = x + n * point_size + lane;
      const Complex y0 = load(place), y1 = load(place + quarter * point_size);
      const Complex y2 = load(place + 2 * quarter * point_size), y3 = load(place + 3 * quarter * point_size);
      const Complex plus = y0 + y1, minus = y2 + y3, sum = y0 - y1, difference = times_i(y3 - y2);
      store(place, plus + minus);
      store(place + quarter * point_size, (sum + difference) * r);
      store(place + 2 * quarter * point_size, (plus - minus) * r2);
      store(place + 3 * quarter * point_size, (sum - difference) * r3);
    }
}

/// One division of a remainder of two numbers.
GFDT_LANES_INLINE void divide_pair(double* x, const double* roots, long division) {
  const Complex r = root(roots, division);
  for (long lane = 0; lane < spectrum_lanes; lane += width) {
    const Complex low = load(x + lane), high = load(x + point_size + lane) * r;
    store(x + lane, low + high);
    store(x + point_size + lane, low - high);
  }
}

GFDT_LANES_INLINE void multiply_pair(double* x, const double* roots, long division) {
  const Complex r = conjugate(root(roots, division));
  for (long lane = 0; lane < spectrum_lanes; lane += width) {
    const Complex plus = load(x + lane), minus = load(x + point_size + lane);
    store(x + lane, plus + minus);
    store(x + point_size + lane, (plus - minus) * r);
  }
}

/// All divisions down to the roots, depth first until the remainder fits into the cache.
void divide(double* x, long length, const double* roots, long division) {
  if (length > cached_points) {
    divide_twice<Complex>(x, x, length, roots, division);
    for (long part = 0; part < 4; ++part)
      divide(x + part * (length / 4) * point_size, length / 4, roots, 4 * division + part);
    return;
  }
  long blocks = 1;
  for (; length >= 4; length /= 4, blocks *= 4, division *= 4)
    for (long block = 0; block < blocks; ++block) {
      double* part = x + block * length * point_size;
      divide_twice<Complex>(part, part, length, roots, division + block);
    }
  if (length == 2)
    for (long block = 0; block < blocks; ++block) divide_pair(x + block * 2 * point_size, roots, division + block);
}

void multiply(double* x, long length, const double* roots, long division) {
  if (length >= 4) {
    for (long part = 0; part < 4; ++part)
      multiply(x + part * (length / 4) * point_size, length / 4, roots, 4 * division + part);
    multiply_twice(x, length, roots, division);
  } else if (length == 2) {
    multiply_pair(x, roots, division);
  }
}

}  // namespace

void forward_spectrum(const double* series, double* spectrum, long points, const double* roots) {
  divide_twice<V>(series, spectrum, points, roots, 1);
  for (long part = 0; part < 4; ++part)
    divide(spectrum + part * (points / 4) * point_size, points / 4, roots, 4 + part);
}

void inverse_spectrum(double* spectrum, double* series, long points, const double* roots) {
  multiply(spectrum, points, roots, 1);
  const double scale = 1 / static_cast<double>(points);
  for (long n = 0; n < points; ++n)
    for (long lane = 0; lane < spectrum_lanes; ++lane)
      series[n * spectrum_lanes + lane] = spectrum[n * point_size + lane] * scale;
}

void add_pair_products(const PairProducts& p, long points) {
  double* to = p.sum;
  for (long point = 0; point < points; ++point) {
    for (long row = 0; row < p.earlier_rows; ++row)
      for (long lane = 0; lane < spectrum_lanes; lane += width) {
        const long place = (row * points + point) * point_size + lane;
        const Complex now = load(p.earlier + place);
        store(p.earlier + place, now - times_i(load(p.before + place)));
        store(p.before + place, now);
      }
    for (long later = 0; later < p.later_rows; ++later) {
      const double* a = p.later + (later * points + point) * point_size;
      for (long earlier = 0; earlier < p.earlier_rows; ++earlier, to += point_size) {
        const double* b = p.earlier + (earlier * points + point) * point_size;
        for (long lane = 0; lane < spectrum_lanes; lane += width)
          store(to + lane, load(to + lane) + load(a + lane) * conjugate(load(b + lane)));
      }
    }
  }
}

}  // namespace gfdt::statistics::GFDT_LANES_NAMESPACE

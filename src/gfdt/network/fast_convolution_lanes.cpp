#include "gfdt/network/fast_convolution.hpp"

#include "gfdt/codegen/lanes/vector.hpp"

namespace gfdt::network::GFDT_LANES_NAMESPACE {
namespace {

namespace v = ::GFDT_LANES_NAMESPACE;
using v::Vector;
using v::width;

// The points have the order 0, 1, −1, 2, −2, ½, −½, ∞. Rows of Bᵀ for ±a share their even and odd parts: if z² − a² is
// omitted from (z² − 1)(z² − 4)(z² − ¼), row ±a is z (z ± a)(z⁴ + c z² + d).
template <class V>
GFDT_LANES_INLINE void input_transform(const V* x, V* out) {
  using T = v::Element<V>;
  constexpr T c1 = T(-4.25), d1 = T(1), c2 = T(-1.25), d2 = T(0.25), c3 = T(-5), d3 = T(4);
  out[0] = x[6] + T(-5.25) * (x[4] - x[2]) - x[0];
  out[7] = x[7] + T(-5.25) * (x[5] - x[3]) - x[1];
  const V even1 = x[6] + c1 * x[4] + d1 * x[2], odd1 = x[5] + c1 * x[3] + d1 * x[1];
  const V even2 = x[6] + c2 * x[4] + d2 * x[2], odd2 = x[5] + c2 * x[3] + d2 * x[1];
  const V even3 = x[6] + c3 * x[4] + d3 * x[2], odd3 = x[5] + c3 * x[3] + d3 * x[1];
  out[1] = even1 + odd1, out[2] = even1 - odd1;
  out[3] = even2 + T(2) * odd2, out[4] = even2 - T(2) * odd2;
  out[5] = even3 + T(0.5) * odd3, out[6] = even3 - T(0.5) * odd3;
}

template <class V>
GFDT_LANES_INLINE void input_transposed(const V* p, V* x) {
  using T = v::Element<V>;
  constexpr T c1 = T(-4.25), d1 = T(1), c2 = T(-1.25), d2 = T(0.25), c3 = T(-5), d3 = T(4);
  const V even1 = p[1] + p[2], odd1 = p[1] - p[2], even2 = p[3] + p[4], odd2 = T(2) * (p[3] - p[4]),
          even3 = p[5] + p[6], odd3 = T(0.5) * (p[5] - p[6]);
  x[0] = -p[0];
  x[1] = d1 * odd1 + d2 * odd2 + d3 * odd3 - p[7];
  x[2] = d1 * even1 + d2 * even2 + d3 * even3 + T(5.25) * p[0];
  x[3] = c1 * odd1 + c2 * odd2 + c3 * odd3 + T(5.25) * p[7];
  x[4] = c1 * even1 + c2 * even2 + c3 * even3 - T(5.25) * p[0];
  x[5] = odd1 + odd2 + odd3 - T(5.25) * p[7];
  x[6] = even1 + even2 + even3 + p[0];
  x[7] = p[7];
}

template <class V>
GFDT_LANES_INLINE void output_transform(const V* p, V* y) {
  using T = v::Element<V>;
  const V even1 = p[1] + p[2], odd1 = p[1] - p[2], even2 = p[3] + p[4], odd2 = p[3] - p[4], even3 = p[5] + p[6],
          odd3 = p[5] - p[6];
  y[0] = p[0] + even1 + even2 + even3;
  y[1] = odd1 + T(2) * odd2 + T(0.5) * odd3;
  y[2] = even1 + T(4) * even2 + T(0.25) * even3;
  y[3] = odd1 + T(8) * odd2 + T(0.125) * odd3 + p[7];
}

template <class V>
GFDT_LANES_INLINE void output_transposed(const V* y, V* p) {
  using T = v::Element<V>;
  p[0] = y[0];
  const V even1 = y[0] + y[2], odd1 = y[1] + y[3];
  const V even2 = y[0] + T(4) * y[2], odd2 = T(2) * y[1] + T(8) * y[3];
  const V even3 = y[0] + T(0.25) * y[2], odd3 = T(0.5) * y[1] + T(0.125) * y[3];
  p[1] = even1 + odd1, p[2] = even1 - odd1;
  p[3] = even2 + odd2, p[4] = even2 - odd2;
  p[5] = even3 + odd3, p[6] = even3 - odd3;
  p[7] = y[3];
}

/// G: a_pᵗ divided by −1, −9/2, −9/2, 90, 90, 45/32, 45/32 and, for p = ∞, 1.
constexpr double weight_transform[fast_points][fast_kernel] = {
    {-1.0, 0.0, 0.0, 0.0, 0.0},
    {-2.0 / 9, -2.0 / 9, -2.0 / 9, -2.0 / 9, -2.0 / 9},
    {-2.0 / 9, 2.0 / 9, -2.0 / 9, 2.0 / 9, -2.0 / 9},
    {1.0 / 90, 2.0 / 90, 4.0 / 90, 8.0 / 90, 16.0 / 90},
    {1.0 / 90, -2.0 / 90, 4.0 / 90, -8.0 / 90, 16.0 / 90},
    {32.0 / 45, 16.0 / 45, 8.0 / 45, 4.0 / 45, 2.0 / 45},
    {32.0 / 45, -16.0 / 45, 8.0 / 45, -4.0 / 45, 2.0 / 45},
    {0.0, 0.0, 0.0, 0.0, 1.0},
};

GFDT_LANES_INLINE int around(int site, int sites) {
  while (site < 0) site += sites;
  while (site >= sites) site -= sites;
  return site;
}

/// Calls work(tile, channel, first site of the ring, points of the tile) for each tile, sample and vector of channels.
template <class T, class Work>
GFDT_LANES_INLINE void for_tiles(const FastTransform<T>& p, Work work) {
  const int tiles = p.tiles();
  for (int tile = 0; tile < tiles; ++tile)
    for (int sample = 0; sample < p.samples; ++sample) {
      T* ring = p.rings.data + sample * p.rings.block_stride;
      T* points = p.points + (static_cast<long>(sample) * tiles + tile) * p.channels;
      for (int c = 0; c < p.channels; c += width<T>) work(tile, c, ring + c, points + c);
    }
}

/// Offsets of the sites of all windows, [tile][point].
template <class T>
struct Windows {
  static constexpr int most_tiles = fast_most_sites / fast_outputs;
  long offset[most_tiles][fast_points];
  explicit Windows(const FastTransform<T>& p) {
    for (int tile = 0; tile < p.tiles(); ++tile)
      for (int j = 0; j < fast_points; ++j)
        offset[tile][j] = around(tile * fast_outputs - p.lead + j, p.sites) * p.rings.row_stride;
  }
};

}  // namespace

/// points = Bᵀ applied to the windows of the rings.
template <class T>
void fast_input(const FastTransform<T>& p) {
  const Windows<T> windows(p);
  for_tiles(p, [&](int tile, int, const T* ring, T* points) {
    Vector<T> x[fast_points], out[fast_points];
    for (int j = 0; j < fast_points; ++j) x[j] = v::load(ring + windows.offset[tile][j]);
    input_transform(x, out);
    for (int j = 0; j < fast_points; ++j) v::store(points + j * p.point_stride, out[j]);
  });
}

/// rings += B applied to the points, summed where windows overlap.
template <class T>
void fast_input_transposed(const FastTransform<T>& p) {
  const Windows<T> windows(p);
  for_tiles(p, [&](int tile, int, T* ring, const T* points) {
    const long* offset = windows.offset[tile];
    Vector<T> x[fast_points], in[fast_points];
    for (int j = 0; j < fast_points; ++j) in[j] = v::load(points + j * p.point_stride);
    input_transposed(in, x);
    for (int j = 0; j < fast_points; ++j) v::store(ring + offset[j], v::load(ring + offset[j]) + x[j]);
  });
}

/// rings = bias + Aᵀ applied to the points.
template <class T>
void fast_output(const FastTransform<T>& p, const T* bias) {
  for_tiles(p, [&](int tile, int channel, T* ring, const T* points) {
    Vector<T> in[fast_points], y[fast_outputs];
    for (int j = 0; j < fast_points; ++j) in[j] = v::load(points + j * p.point_stride);
    output_transform(in, y);
    const Vector<T> shift = bias ? v::load(bias + channel) : Vector<T>{};
    for (int i = 0, site = tile * fast_outputs; i < fast_outputs && site < p.sites; ++i, ++site)
      v::store(ring + site * p.rings.row_stride, y[i] + shift);
  });
}

/// points = A applied to the rings, which are zero beyond the last site.
template <class T>
void fast_output_transposed(const FastTransform<T>& p) {
  for_tiles(p, [&](int tile, int, const T* ring, T* points) {
    Vector<T> y[fast_outputs], out[fast_points];
    for (int i = 0, site = tile * fast_outputs; i < fast_outputs; ++i, ++site)
      y[i] = site < p.sites ? v::load(ring + site * p.rings.row_stride) : Vector<T>{};
    output_transposed(y, out);
    for (int j = 0; j < fast_points; ++j) v::store(points + j * p.point_stride, out[j]);
  });
}

/// Applies G to taps of `count` weights each: [tap][count] to [point][count].
template <class T>
void fast_weights(const T* taps, long count, T* points) {
  for (int p = 0; p < fast_points; ++p)
    for (long i = 0; i < count; ++i) {
      T sum = 0;
#pragma GCC unroll 5
      for (int t = 0; t < fast_kernel; ++t) sum += static_cast<T>(weight_transform[p][t]) * taps[t * count + i];
      points[p * count + i] = sum;
    }
}

/// Applies Gᵀ: computes gradients of `rows` rows with `valid` numbers from rows that are `columns` numbers apart.
template <class T>
void fast_weights_transposed(const T* points, int rows, int columns, int valid, T* taps) {
  const long plane = static_cast<long>(rows) * columns;
  for (int t = 0; t < fast_kernel; ++t) {
    T factor[fast_points];
    for (int p = 0; p < fast_points; ++p) factor[p] = static_cast<T>(weight_transform[p][t]);
    for (int row = 0; row < rows; ++row, taps += valid) {
      const T* from = points + static_cast<long>(row) * columns;
      for (int i = 0; i < valid; ++i) {
        T sum = 0;
#pragma GCC unroll 8
        for (int p = 0; p < fast_points; ++p) sum += factor[p] * from[p * plane + i];
        taps[i] = sum;
      }
    }
  }
}

template void fast_input(const FastTransform<float>&);
template void fast_input(const FastTransform<double>&);
template void fast_input_transposed(const FastTransform<float>&);
template void fast_input_transposed(const FastTransform<double>&);
template void fast_output(const FastTransform<float>&, const float*);
template void fast_output(const FastTransform<double>&, const double*);
template void fast_output_transposed(const FastTransform<float>&);
template void fast_output_transposed(const FastTransform<double>&);
template void fast_weights(const float*, long, float*);
template void fast_weights(const double*, long, double*);
template void fast_weights_transposed(const float*, int, int, int, float*);
template void fast_weights_transposed(const double*, int, int, int, double*);

}  // namespace gfdt::network::GFDT_LANES_NAMESPACE

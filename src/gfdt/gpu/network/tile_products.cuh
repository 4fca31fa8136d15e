#pragma once

// Matrix products by a thread group, from shared memory. A warp computes 48 × 32 tiles of a product of rows with
// weights. If `precise`, numbers are split into two parts for the tensor cores, which gives single-precision accuracy;
// otherwise operands are rounded to a mantissa of ten bits.

namespace gfdt_device {

GFDT_DEVICE void multiply(float (&c)[4], const float (&a)[4], const float (&b)[2]) {
  if (!precise) return multiply_tile(c, a, b);
  float a_high[4], a_low[4], b_high[2], b_low[2];
#pragma unroll
  for (int i = 0; i < 4; ++i) a_high[i] = round_to_tile(a[i]), a_low[i] = round_to_tile(a[i] - a_high[i]);
#pragma unroll
  for (int i = 0; i < 2; ++i) b_high[i] = round_to_tile(b[i]), b_low[i] = round_to_tile(b[i] - b_high[i]);
  multiply_tile(c, a_low, b_high);
  multiply_tile(c, a_high, b_low);
  multiply_tile(c, a_high, b_high);
}

/// c += A B for a 48 × 32 tile. Rows of A start at `row`. B is [depth][columns], or [columns][depth] if `transposed`,
/// with the given stride.
template <bool transposed>
GFDT_DEVICE void add_products(float (&c)[3][4][4], const float* a, const int (&row)[3][2], const float* b, int stride,
                              int depth) {
  const int g = thread_number() % 32 / 4, q = thread_number() % 4;
#pragma unroll 2
  for (int k = 0; k < depth; k += 8) {
    float b_part[4][2];
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half)
        b_part[j][half] =
            transposed ? b[(8 * j + g) * stride + k + q + 4 * half] : b[(k + q + 4 * half) * stride + 8 * j + g];
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      const float a_part[4] = {a[row[i][0] + k + q], a[row[i][1] + k + q], a[row[i][0] + k + q + 4],
                               a[row[i][1] + k + q + 4]};
#pragma unroll
      for (int j = 0; j < 4; ++j) multiply(c[i][j], a_part, b_part[j]);
    }
  }
}

/// Division of a product with weights [tap][in][out] into pieces that fit into shared memory.
struct Cut {
  int across_bits;  ///< 2^across_bits tiles of columns at a time
  int depth_bits;   ///< 2^depth_bits numbers of the inner dimension at a time
  int taps_at_once;
};

/// Two adjacent numbers of a matrix, (row, column) and (row, column + 1), as far as they exist.
struct Pair {
  long long at;
  bool first, second, together;

  __device__ Pair(int row, int column, int rows, int columns)
      : at(static_cast<long long>(row) * columns + column),
        first(row < rows && column < columns),
        second(row < rows && column + 1 < columns),
        together(columns % 2 == 0) {}

  __device__ float2 load(const float* matrix) const {
    if (together) return first ? *reinterpret_cast<const float2*>(matrix + at) : make_float2(0, 0);
    return make_float2(first ? matrix[at] : 0, second ? matrix[at + 1] : 0);
  }
  __device__ void store(float* matrix, float2 v) const {
    if (together) {
      if (first) *reinterpret_cast<float2*>(matrix + at) = v;
      return;
    }
    if (first) matrix[at] = v.x;
    if (second) matrix[at + 1] = v.y;
  }
};

/// Writes a product y to `to`: adds `bias`, or the previous contents if `accumulate`, and multiplies by swish′(slope).
/// Also writes swish of the result to `after`. All pointers except `to` may be null.
struct Finish {
  float *to, *after;
  const float *bias, *slope;
  int accumulate;

  /// Writes 16 rows and 32 columns of a product with `rows` × `columns` numbers, held by a warp.
  __device__ void operator()(const float (&c)[4][4], int row, int column, int rows, int columns) const {
    const int r = row + thread_number() % 32 / 4, n = column + thread_number() % 4 * 2;
    float2 there[4][2], before[4][2];
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const Pair pair(r + 8 * half, n + 8 * j, rows, columns);
        there[j][half] = before[j][half] = make_float2(0, 0);
        if (bias) there[j][half] = Pair(0, n + 8 * j, 1, columns).load(bias);
        if (accumulate) there[j][half] = pair.load(to);  // never together with a bias
        if (slope) before[j][half] = pair.load(slope);
      }
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const Pair pair(r + 8 * half, n + 8 * j, rows, columns);
        float2 y = make_float2(c[j][2 * half] + there[j][half].x, c[j][2 * half + 1] + there[j][half].y);
        if (slope) y.x *= swish_slope(before[j][half].x), y.y *= swish_slope(before[j][half].y);
        pair.store(to, y);
        if (after) pair.store(after, make_float2(swish(y.x), swish(y.y)));
      }
  }
};

/// y[r][n] = Σ_t Σ_k x[r + direction·(t − lead)][k] w_t[k][n] around the rings, or with w_t[n][k] if `transposed`.
template <bool transposed>
static __noinline__ __device__ void convolve(const Rows x, const float* weights, int taps, int direction, int lead,
                                             int columns, const Cut cut, const Finish finish) {
  const int depth = x.depth(), across = 1 << cut.across_bits, width = tile_columns << cut.across_bits;
  const int unit = 1 << cut.depth_bits, a_stride = unit + deep_padding;
  const int down = warps >> cut.across_bits, stride = transposed ? a_stride : width + wide_padding;
  float* const a = group_memory();
  float* const b = a + x.count * a_stride;
  const int warp = thread_number() / 32, g = thread_number() % 32 / 4, q = thread_number() % 4;
  const int tile_m = tile_rows * (warp % down), tile_n = tile_columns * (warp / down);
  for (int n0 = 0; n0 < columns; n0 += width)
    for (int m0 = 0; m0 < x.count; m0 += tile_rows * down) {
      const bool active = warp < down * across && m0 + tile_m < x.count && n0 + tile_n < columns;
      float c[3][4][4] = {};
      int number[3][2], site[3][2];
#pragma unroll
      for (int i = 0; i < 3; ++i)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const int r = m0 + tile_m + 16 * i + 8 * half + g;
          number[i][half] = r < x.count ? r : x.count - 1;
          site[i][half] = number[i][half] % x.sites;
        }
      // Rows that the taps need: the same rows for a single tap, otherwise whole rings.
      const int begin = taps == 1 ? m0 : 0;
      const int end = taps == 1 && m0 + tile_rows * down < x.count ? m0 + tile_rows * down : x.count;
      for (int k0 = 0; k0 < depth; k0 += unit) {
        const int valid = depth - k0 < unit ? depth - k0 : unit;
        for (int t0 = 0; t0 < taps; t0 += cut.taps_at_once) {
          const int here = taps - t0 < cut.taps_at_once ? taps - t0 : cut.taps_at_once;
          const RowStage rows = {x, begin, end, k0, unit, a_stride, a};
          const BlockStage columns_of_weights =
              transposed ? BlockStage{weights + static_cast<long long>(t0 * columns + n0) * depth,
                                      depth,
                                      here,
                                      columns,
                                      5 + cut.across_bits,
                                      columns - n0,
                                      k0,
                                      cut.depth_bits,
                                      b,
                                      stride}
                         : BlockStage{weights + static_cast<long long>(t0 * depth + k0) * columns,
                                      columns,
                                      here,
                                      depth,
                                      cut.depth_bits,
                                      valid,
                                      n0,
                                      5 + cut.across_bits,
                                      b,
                                      stride};
          __syncthreads();
          if (t0 == 0)
            stage(rows, columns_of_weights);
          else
            stage(columns_of_weights);
          if (!active) continue;
          for (int t = 0; t < here; ++t) {
            const int shift = taps == 1 ? 0 : direction * (t0 + t - lead);
            int row[3][2];
#pragma unroll
            for (int i = 0; i < 3; ++i)
#pragma unroll
              for (int half = 0; half < 2; ++half)
                row[i][half] = (number[i][half] - begin + step_around(site[i][half], shift, x.sites)) * a_stride;
            const float* own = transposed ? b + (t * width + tile_n) * stride : b + t * unit * stride + tile_n;
            add_products<transposed>(c, a, row, own, stride, valid);
          }
        }
      }
      if (!active) continue;
#pragma unroll
      for (int i = 0; i < 3; ++i) finish(c[i], m0 + tile_m + 16 * i, n0 + tile_n, x.count, columns);
    }
}

}  // namespace gfdt_device

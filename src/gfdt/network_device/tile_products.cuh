#pragma once

// Products of matrices by a thread group, from its shared memory. A warp makes tiles of 48 × 32 of a product of rows
// with weights, or of 32 × 32 of a gradient by weights. Where `precise`, numbers are split into two parts that the
// tensor cores take, and the product has the error of single precision; else operands are rounded to ten bits of
// mantissa.

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

/// c += A B for a tile of 48 × 32: rows of A begin at `row`, B is [depth][columns] with a stride, or where `transposed`
/// [columns][depth].
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
            transposed ? b[(8 * j + g) * deep_stride + k + q + 4 * half] : b[(k + q + 4 * half) * stride + 8 * j + g];
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      const float a_part[4] = {a[row[i][0] + k + q], a[row[i][1] + k + q], a[row[i][0] + k + q + 4],
                               a[row[i][1] + k + q + 4]};
#pragma unroll
      for (int j = 0; j < 4; ++j) multiply(c[i][j], a_part, b_part[j]);
    }
  }
}

/// How a product with weights [tap][in][out] is cut to fit into shared memory.
struct Cut {
  int across_bits;  ///< 2^this tiles of columns at a time
  int taps_at_once;
};

/// What becomes of a product y: y + bias + what is there, times swish′(slope), goes to `to` and swish of that to
/// `after`. All but `to` may be missing.
struct Finish {
  float *to, *after;
  const float *bias, *slope;
  int accumulate;

  /// 16 rows and 32 columns of a product of `rows` × `columns`, in the hands of a warp.
  __device__ void operator()(const float (&c)[4][4], int row, int column, int rows, int columns) const {
    const int r0 = row + thread_number() % 32 / 4, n0 = column + thread_number() % 4 * 2;
    float there[4][4], before[4][4];
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int r = r0 + 8 * (e / 2), n = n0 + 8 * j + e % 2;
        const long long at = static_cast<long long>(r) * columns + n;
        const bool inside = r < rows && n < columns;
        there[j][e] = inside && bias ? bias[n] : 0;
        if (inside && accumulate) there[j][e] += to[at];
        before[j][e] = inside && slope ? slope[at] : 0;
      }
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int r = r0 + 8 * (e / 2), n = n0 + 8 * j + e % 2;
        const long long at = static_cast<long long>(r) * columns + n;
        if (r >= rows || n >= columns) continue;
        float y = c[j][e] + there[j][e];
        if (slope) y *= swish_slope(before[j][e]);
        to[at] = y;
        if (after) after[at] = swish(y);
      }
  }
};

/// y[r][n] = Σ_t Σ_k x[r + direction·(t − lead)][k] w_t[k][n] around the rings, or where `transposed` with w_t[n][k].
template <bool transposed>
static __noinline__ __device__ void convolve(const Rows x, const float* weights, int taps, int direction, int lead,
                                             int columns, const Cut cut, const Finish finish) {
  const int depth = x.depth(), across = 1 << cut.across_bits, width = tile_columns << cut.across_bits;
  const int down = warps >> cut.across_bits, stride = width + 8;
  float* const a = group_memory();
  float* const b = a + x.count * deep_stride;
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
      for (int k0 = 0; k0 < depth; k0 += depth_unit) {
        const int valid = depth - k0 < depth_unit ? depth - k0 : depth_unit;
        for (int t0 = 0; t0 < taps; t0 += cut.taps_at_once) {
          const int here = taps - t0 < cut.taps_at_once ? taps - t0 : cut.taps_at_once;
          __syncthreads();
          if (t0 == 0) stage_rows<deep_stride>(x, x.count, k0, a);
          if (transposed)
            Blocks{weights + static_cast<long long>(t0 * columns + n0) * depth,
                   depth,
                   here,
                   columns,
                   5 + cut.across_bits,
                   columns - n0,
                   k0,
                   5}
                .stage(b, deep_stride);
          else
            Blocks{weights + static_cast<long long>(t0 * depth + k0) * columns,
                   columns,
                   here,
                   depth,
                   5,
                   valid,
                   n0,
                   5 + cut.across_bits}
                .stage(b, stride);
          __syncthreads();
          if (!active) continue;
          for (int t = 0; t < here; ++t) {
            const int shift = taps == 1 ? 0 : direction * (t0 + t - lead);
            int row[3][2];
#pragma unroll
            for (int i = 0; i < 3; ++i)
#pragma unroll
              for (int half = 0; half < 2; ++half)
                row[i][half] = (number[i][half] + step_around(site[i][half], shift, x.sites)) * deep_stride;
            const float* own =
                transposed ? b + (t * width + tile_n) * deep_stride : b + t * depth_unit * stride + tile_n;
            add_products<transposed>(c, a, row, own, stride, valid);
          }
        }
      }
      if (!active) continue;
#pragma unroll
      for (int i = 0; i < 3; ++i) finish(c[i], m0 + tile_m + 16 * i, n0 + tile_n, x.count, columns);
    }
}

/// gradient[t][k][n] = Σ_r x[r + t − lead][k] d[r][n] around the rings, or that added to it.
static __noinline__ __device__ void weight_gradient(const Rows x, const float* d, int columns, int taps, int lead,
                                                    float* gradient, bool add) {
  const int depth = x.depth(), across_bits = columns > tile_columns ? 1 : 0, width = tile_columns << across_bits;
  const int padded = (x.count + 7) / 8 * 8, stride = width + 8, step = 8 % x.sites;
  float* const a = group_memory();
  float* const b = a + padded * wide_stride;
  const int warp = thread_number() / 32, g = thread_number() % 32 / 4, q = thread_number() % 4;
  for (int k0 = 0; k0 < depth; k0 += depth_unit)
    for (int n0 = 0; n0 < columns; n0 += width) {
      __syncthreads();
      if (n0 == 0) stage_rows<wide_stride>(x, padded, k0, a);
      Blocks{d, columns, 1, 0, 30, x.count, n0, 5 + across_bits}.stage_rows_of(padded, b, stride);
      __syncthreads();
      for (int task = warp; task < taps << across_bits; task += warps) {
        const int t = task >> across_bits, n = tile_columns * (task & ((1 << across_bits) - 1)), shift = t - lead;
        if (n0 + n >= columns) continue;
        float c[2][4][4] = {};
        int site[2] = {q % x.sites, (q + 4) % x.sites};
        for (int r = 0; r < padded; r += 8) {
          int row[2];
          float b_part[4][2];
#pragma unroll
          for (int half = 0; half < 2; ++half) {
            const int number = r + q + 4 * half;
            row[half] = number;
            if (taps > 1) {
              if (number < x.count) row[half] += step_around(site[half], shift, x.sites);
              site[half] += step;
              if (site[half] >= x.sites) site[half] -= x.sites;
            }
#pragma unroll
            for (int j = 0; j < 4; ++j) b_part[j][half] = b[number * stride + n + 8 * j + g];
          }
#pragma unroll
          for (int i = 0; i < 2; ++i) {
            const float* const own = a + 16 * i + g;
            const float a_part[4] = {own[row[0] * wide_stride], own[row[0] * wide_stride + 8],
                                     own[row[1] * wide_stride], own[row[1] * wide_stride + 8]};
#pragma unroll
            for (int j = 0; j < 4; ++j) multiply(c[i][j], a_part, b_part[j]);
          }
        }
        const Finish finish = {gradient + static_cast<long long>(t) * depth * columns, nullptr, nullptr, nullptr, add};
#pragma unroll
        for (int i = 0; i < 2; ++i) finish(c[i], k0 + 16 * i, n0 + n, depth, columns);
      }
    }
}

/// to[c] = Σ_r d[r][c], or that added to it.
GFDT_DEVICE void column_sums(const float* d, int rows, int columns, float* to, bool add) {
  float* const sums = group_memory();
  for (int first = 0; first < columns; first += threads) {
    const int width = columns - first < threads ? columns - first : threads;
    const int parts = threads / width < 32 ? threads / width : 32, part = thread_number() / width;
    const int c = thread_number() % width;
    __syncthreads();
    if (part < parts) {
      float sum = 0;
#pragma unroll 4
      for (int r = part; r < rows; r += parts) sum += d[static_cast<long long>(r) * columns + first + c];
      sums[part * width + c] = sum;
    }
    __syncthreads();
    if (thread_number() >= width) continue;
    float sum = 0;
    for (int p = 0; p < parts; ++p) sum += sums[p * width + c];
    to[first + c] = add ? to[first + c] + sum : sum;
  }
}

}  // namespace gfdt_device

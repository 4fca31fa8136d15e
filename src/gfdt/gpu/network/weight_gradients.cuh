#pragma once

// Gradients with respect to weights and biases, computed by a thread group from shared memory as sums over the rows of
// its samples. A warp computes 32 × 32 tiles.

namespace gfdt_device {

constexpr int tile_depth = 32, depth_stride = tile_depth + wide_padding;
constexpr int warp_bits = 3, rows_at_once = 72;  ///< for weight gradients of a single tap
static_assert(1 << warp_bits == warps, "tiles are dealt out to all warps");

/// c += Aᵀ B for a 32 × 32 tile and eight rows. Rows of A start at a + row[.], rows of B at b.
GFDT_DEVICE void add_transposed(float (&c)[2][4][4], const float* a, const int (&row)[2], const float* b, int stride) {
  const int g = thread_number() % 32 / 4, q = thread_number() % 4;
  float b_part[4][2];
#pragma unroll
  for (int half = 0; half < 2; ++half)
#pragma unroll
    for (int j = 0; j < 4; ++j) b_part[j][half] = b[(q + 4 * half) * stride + 8 * j + g];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const float* const own = a + 16 * i + g;
    const float a_part[4] = {own[row[0]], own[row[0] + 8], own[row[1]], own[row[1] + 8]};
#pragma unroll
    for (int j = 0; j < 4; ++j) multiply(c[i][j], a_part, b_part[j]);
  }
}

/// gradient[t][k][n] = Σ_r x[r + t − lead][k] d[r][n] around the rings; the sum is added to `gradient` if `add`.
static __noinline__ __device__ void weight_gradient(const Rows x, const float* d, int columns, int taps, int lead,
                                                    float* gradient, bool add) {
  const int depth = x.depth(), across_bits = columns > tile_columns ? 1 : 0, width = tile_columns << across_bits;
  const int padded = (x.count + 7) / 8 * 8, stride = width + wide_padding, step = 8 % x.sites;
  float* const a = group_memory();
  float* const b = a + padded * depth_stride;
  const Rows gradients = {d, x.count, x.sites, columns, 1, 0};
  const int warp = thread_number() / 32, q = thread_number() % 4;
  for (int k0 = 0; k0 < depth; k0 += tile_depth)
    for (int n0 = 0; n0 < columns; n0 += width) {
      const RowStage rows = {x, 0, padded, k0, tile_depth, depth_stride, a};
      const RowStage others = {gradients, 0, padded, n0, width, stride, b};
      __syncthreads();
      if (n0 == 0)
        stage(rows, others);
      else
        stage(others);
      for (int task = warp; task < taps << across_bits; task += warps) {
        const int t = task >> across_bits, n = tile_columns * (task & ((1 << across_bits) - 1)), shift = t - lead;
        if (n0 + n >= columns) continue;
        float c[2][4][4] = {};
        int site[2] = {q % x.sites, (q + 4) % x.sites};
        for (int r = 0; r < padded; r += 8) {
          int row[2];
#pragma unroll
          for (int half = 0; half < 2; ++half) {
            const int number = r + q + 4 * half;
            row[half] = number;
            if (number < x.count) row[half] += step_around(site[half], shift, x.sites);
            row[half] *= depth_stride;
            site[half] += step;
            if (site[half] >= x.sites) site[half] -= x.sites;
          }
          add_transposed(c, a, row, b + r * stride + n, stride);
        }
        const Finish finish = {gradient + static_cast<long long>(t) * depth * columns, nullptr, nullptr, nullptr, add};
#pragma unroll
        for (int i = 0; i < 2; ++i) finish(c[i], k0 + 16 * i, n0 + n, depth, columns);
      }
    }
}

/// The same for a single tap: gradient[k][n] = Σ_r x[r][k] d[r][n]. Warps compute tiles at several depths.
static __noinline__ __device__ void dense_gradient(const Rows x, const float* d, int columns, float* gradient,
                                                   bool add) {
  const int depth = x.depth();
  int deep_bits = 0, across_bits = 0;
  while (deep_bits < 2 && (tile_depth << deep_bits) < depth) ++deep_bits;
  while (deep_bits + across_bits < warp_bits && across_bits < 2 && (tile_columns << across_bits) < columns)
    ++across_bits;
  const int deep = tile_depth << deep_bits, width = tile_columns << across_bits;
  float* const a = group_memory();
  float* const b = a + rows_at_once * (deep + wide_padding);
  const Rows gradients = {d, x.count, x.sites, columns, 1, 0};
  const int warp = thread_number() / 32, q = thread_number() % 4;
  const int k = tile_depth * (warp & ((1 << deep_bits) - 1)), n = tile_columns * (warp >> deep_bits);
  for (int k0 = 0; k0 < depth; k0 += deep)
    for (int n0 = 0; n0 < columns; n0 += width) {
      const bool active = n < width && k0 + k < depth && n0 + n < columns;
      float c[2][4][4] = {};
      for (int begin = 0; begin < x.count; begin += rows_at_once) {
        const int left = (x.count - begin + 7) / 8 * 8, count = left < rows_at_once ? left : rows_at_once;
        __syncthreads();
        stage(RowStage{x, begin, begin + count, k0, deep, deep + wide_padding, a},
              RowStage{gradients, begin, begin + count, n0, width, width + wide_padding, b});
        for (int r = 0; r < count && active; r += 8) {
          const int row[2] = {(r + q) * (deep + wide_padding), (r + q + 4) * (deep + wide_padding)};
          add_transposed(c, a + k, row, b + r * (width + wide_padding) + n, width + wide_padding);
        }
      }
      if (!active) continue;
      const Finish finish = {gradient, nullptr, nullptr, nullptr, add};
#pragma unroll
      for (int i = 0; i < 2; ++i) finish(c[i], k0 + k + 16 * i, n0 + n, depth, columns);
    }
}

/// to[c] = Σ_r d[r][c]; the sum is added to `to` if `add`. T is one column or four.
template <class T>
GFDT_DEVICE void add_columns(const T* d, int rows, int columns, T* to, bool add) {
  T* const sums = reinterpret_cast<T*>(group_memory());
  for (int first = 0; first < columns; first += threads) {
    const int width = columns - first < threads ? columns - first : threads;
    const int parts = threads / width < 32 ? threads / width : 32, part = thread_number() / width;
    const int c = thread_number() % width;
    __syncthreads();
    if (part < parts) {
      T sum = {};
#pragma unroll 8
      for (int r = part; r < rows; r += parts) sum = sum_of(sum, d[static_cast<long long>(r) * columns + first + c]);
      sums[part * width + c] = sum;
    }
    __syncthreads();
    if (thread_number() >= width) continue;
    T sum = {};
    for (int p = 0; p < parts; ++p) sum = sum_of(sum, sums[p * width + c]);
    to[first + c] = add ? sum_of(to[first + c], sum) : sum;
  }
}

GFDT_DEVICE void column_sums(const float* d, int rows, int columns, float* to, bool add) {
  if (columns % 4 == 0)
    add_columns(reinterpret_cast<const float4*>(d), rows, columns / 4, reinterpret_cast<float4*>(to), add);
  else
    add_columns(d, rows, columns, to, add);
}

}  // namespace gfdt_device

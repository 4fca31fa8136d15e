#pragma once

// How numbers come into the shared memory of a thread group, from which products read them.

namespace gfdt_device {

constexpr int threads = 32 * warps;
constexpr int depth_unit = 32;  ///< of the inner dimension that is in shared memory at a time
constexpr int tile_rows = 48, tile_columns = 32;
// Strides in shared memory that spread what a warp reads together over all banks: 4 modulo 32 where eight rows are read
// at four neighbouring places, 8 modulo 32 where four rows are read at eight.
constexpr int deep_stride = depth_unit + 4, wide_stride = depth_unit + 8;

GFDT_DEVICE float swish(float x) { return x * device_logistic(x); }
GFDT_DEVICE float swish_slope(float x) {
  const float s = device_logistic(x);
  return s + x * s * (1.0f - s);
}

GFDT_DEVICE int thread_number() { return static_cast<int>(threadIdx.x); }
GFDT_DEVICE float staged(float x) { return precise ? x : round_to_tile(x); }

/// Rows of numbers in memory: sites of rings with `channels` numbers each. With `unfolded` > 1 a row holds the channels
/// of so many neighbouring sites, from `lead` sites before its own on.
struct Rows {
  const float* data;
  int count, sites, channels, unfolded, lead;
  __device__ int depth() const { return channels * unfolded; }
};

/// Site `site + shift` of a ring, as a step from `site`.
GFDT_DEVICE int step_around(int site, int shift, int sites) {
  const int to = site + shift;
  return to < 0 ? shift + sites : to >= sites ? shift - sites : shift;
}

GFDT_DEVICE void store_four(float* to, float4 v) {
  *reinterpret_cast<float4*>(to) = make_float4(staged(v.x), staged(v.y), staged(v.z), staged(v.w));
}

/// Loads that are on their way together: what is stored between two loads would make the second wait.
constexpr int at_once = 4;

/// Columns [first, first + 32) of the rows to shared memory, zeros beyond the columns, and beyond the rows up to
/// `padded`.
template <int stride>
GFDT_DEVICE void stage_rows(const Rows& x, int padded, int first, float* to) {
  if (x.unfolded == 1 && x.channels % 4 == 0) {
    const int place = thread_number() % 8 * 4, k = first + place;
    for (int r0 = thread_number() / 8; r0 < padded; r0 += at_once * threads / 8) {
      float4 v[at_once];
#pragma unroll
      for (int n = 0; n < at_once; ++n) {
        const int r = r0 + n * threads / 8;
        v[n] = make_float4(0, 0, 0, 0);
        if (r < x.count && k < x.channels)
          v[n] = *reinterpret_cast<const float4*>(x.data + static_cast<long long>(r) * x.channels + k);
      }
#pragma unroll
      for (int n = 0; n < at_once; ++n) {
        const int r = r0 + n * threads / 8;
        if (r < padded) store_four(to + r * stride + place, v[n]);
      }
    }
    return;
  }
  const int place = thread_number() % 32, k = first + place, tap = k / x.channels, channel = k % x.channels;
  for (int r0 = thread_number() / 32; r0 < padded; r0 += at_once * warps) {
    float v[at_once];
#pragma unroll
    for (int n = 0; n < at_once; ++n) {
      const int r = r0 + n * warps;
      v[n] = 0;
      if (r < x.count && k < x.depth()) {
        const int from = x.unfolded == 1 ? r : r + step_around(r % x.sites, tap - x.lead, x.sites);
        v[n] = x.data[static_cast<long long>(from) * x.channels + channel];
      }
    }
#pragma unroll
    for (int n = 0; n < at_once; ++n)
      if (r0 + n * warps < padded) to[(r0 + n * warps) * stride + place] = staged(v[n]);
  }
}

/// Blocks of matrices [.][columns] to shared memory, one below the other: of each of `count` matrices, which begin
/// `matrix_rows` rows apart, the first 2^row_bits rows (zeros from `valid_rows` on), and of these 2^width_bits columns
/// from `column` on (zeros beyond the last).
struct Blocks {
  const float* matrix;
  int columns, count, matrix_rows, row_bits, valid_rows, column, width_bits;

  __device__ float4 load(int i) const {
    const int bits = width_bits - 2, row = i >> bits, k = column + (i & ((1 << bits) - 1)) * 4;
    const int inner = row & ((1 << row_bits) - 1);
    float4 v = make_float4(0, 0, 0, 0);
    if (inner >= valid_rows || k >= columns) return v;
    const float* const from = matrix + static_cast<long long>((row >> row_bits) * matrix_rows + inner) * columns + k;
    if (columns % 4 == 0) return *reinterpret_cast<const float4*>(from);
    v.x = from[0];
    if (k + 1 < columns) v.y = from[1];
    if (k + 2 < columns) v.z = from[2];
    if (k + 3 < columns) v.w = from[3];
    return v;
  }

  __device__ void stage(float* to, int stride) const { stage_rows_of(count << row_bits, to, stride); }
  __device__ void stage_rows_of(int rows, float* to, int stride) const {
    const int bits = width_bits - 2, all = rows << bits;
    for (int i0 = thread_number(); i0 < all; i0 += at_once * threads) {
      float4 v[at_once];
#pragma unroll
      for (int n = 0; n < at_once; ++n)
        v[n] = i0 + n * threads < all ? load(i0 + n * threads) : make_float4(0, 0, 0, 0);
#pragma unroll
      for (int n = 0; n < at_once; ++n) {
        const int i = i0 + n * threads;
        if (i < all) store_four(to + (i >> bits) * stride + (i & ((1 << bits) - 1)) * 4, v[n]);
      }
    }
  }
};

}  // namespace gfdt_device

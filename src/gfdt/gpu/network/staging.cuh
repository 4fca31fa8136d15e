#pragma once

// Copies of numbers to the shared memory of a thread group, from which products read them.

namespace gfdt_device {

constexpr int threads = 32 * warps;
constexpr int tile_rows = 48, tile_columns = 32;
// Padding of rows in shared memory, whose length is otherwise a multiple of 32 numbers. It avoids bank conflicts when a
// warp reads eight rows at four adjacent places (deep) or four rows at eight places (wide).
constexpr int deep_padding = 4, wide_padding = 8;

GFDT_DEVICE float swish(float x) { return x * device_logistic(x); }
GFDT_DEVICE float swish_slope(float x) {
  const float s = device_logistic(x);
  return s + x * s * (1.0f - s);
}

GFDT_DEVICE float sum_of(float a, float b) { return a + b; }
GFDT_DEVICE float4 sum_of(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }

GFDT_DEVICE int thread_number() { return static_cast<int>(threadIdx.x); }
GFDT_DEVICE float staged(float x) { return precise ? x : round_to_tile(x); }

/// A matrix in memory: rows are sites of rings with `channels` numbers each. If `unfolded` > 1, a row holds the
/// channels of that many neighbouring sites, the first of which is `lead` sites before the row's own site.
struct Rows {
  const float* data;
  int count, sites, channels, unfolded, lead;
  __device__ int depth() const { return channels * unfolded; }
};

/// Offset from `site` to site `site + shift` of a ring.
GFDT_DEVICE int step_around(int site, int shift, int sites) {
  const int to = site + shift;
  return to < 0 ? shift + sites : to >= sites ? shift - sites : shift;
}

GFDT_DEVICE void round_four(float* at) {
  const float4 v = *reinterpret_cast<const float4*>(at);
  *reinterpret_cast<float4*>(at) = make_float4(staged(v.x), staged(v.y), staged(v.z), staged(v.w));
}

/// Number of loads issued together: an intermediate store would delay later loads.
constexpr int at_once = 4;

/// Copies rows [begin, end) of a matrix to shared memory, `stride` numbers apart: the columns [first, first + width) of
/// each row, with zeros beyond the last column and the last row. `start` issues the copies. After waiting for its
/// copies, a thread calls `finish` to round them.
struct RowStage {
  const Rows& x;
  int begin, end, first, width, stride;
  float* to;

  __device__ void start() const {
    if (whole())
      each_four([&](float* at, int r, int k) {
        const bool real = r < x.count && k < x.channels;
        copy_four(at, real ? x.data + static_cast<long long>(r) * x.channels + k : x.data, real);
      });
    else
      fetch();
  }

  __device__ void finish() const {
    if (!precise && whole()) each_four([](float* at, int, int) { round_four(at); });
  }

 private:
  __device__ bool whole() const { return x.unfolded == 1 && x.channels % 4 == 0; }

  template <class Work>
  __device__ void each_four(const Work& work) const {
    const int across = width / 4, place = thread_number() % across * 4;
    for (int r = begin + thread_number() / across; r < end; r += threads / across)
      work(to + (r - begin) * stride + place, r, first + place);
  }

  __device__ void fetch() const {
    const int place = thread_number() % width, k = first + place, tap = k / x.channels, channel = k % x.channels;
    const int down = threads / width;
    for (int r0 = begin + thread_number() / width; r0 < end; r0 += at_once * down) {
      float v[at_once];
#pragma unroll
      for (int n = 0; n < at_once; ++n) {
        const int r = r0 + n * down;
        v[n] = 0;
        if (r < x.count && k < x.depth()) {
          const int from = x.unfolded == 1 ? r : r + step_around(r % x.sites, tap - x.lead, x.sites);
          v[n] = x.data[static_cast<long long>(from) * x.channels + channel];
        }
      }
#pragma unroll
      for (int n = 0; n < at_once; ++n)
        if (r0 + n * down < end) to[(r0 + n * down - begin) * stride + place] = staged(v[n]);
    }
  }
};

/// Copies blocks of `count` matrices [.][columns] to shared memory, one below the other. Matrices start `matrix_rows`
/// rows apart. A block has the first 2^row_bits rows (zeros from `valid_rows`) and 2^width_bits columns from `column`
/// (zeros beyond the last). `start` and `finish` are used as in RowStage.
struct BlockStage {
  const float* matrix;
  int columns, count, matrix_rows, row_bits, valid_rows, column, width_bits;
  float* to;
  int stride;

  __device__ void start() const {
    if (columns % 4 == 0)
      each_four([&](float* at, int row, int k) {
        const bool real = valid(row, k);
        copy_four(at, real ? source(row, k) : matrix, real);
      });
    else
      each_four([&](float* at, int row, int k) {
        for (int n = 0; n < 4; ++n) at[n] = valid(row, k + n) ? staged(*source(row, k + n)) : 0;
      });
  }

  __device__ void finish() const {
    if (!precise && columns % 4 == 0) each_four([](float* at, int, int) { round_four(at); });
  }

 private:
  __device__ int inner(int row) const { return row & ((1 << row_bits) - 1); }
  __device__ bool valid(int row, int k) const { return inner(row) < valid_rows && k < columns; }
  __device__ const float* source(int row, int k) const {
    return matrix + static_cast<long long>((row >> row_bits) * matrix_rows + inner(row)) * columns + k;
  }

  template <class Work>
  __device__ void each_four(const Work& work) const {
    const int bits = width_bits - 2, all = count << (row_bits + bits);
    for (int i = thread_number(); i < all; i += threads) {
      const int row = i >> bits, place = (i & ((1 << bits) - 1)) * 4;
      work(to + row * stride + place, row, column + place);
    }
  }
};

/// Starts all stages and waits until the data of all threads have arrived.
template <class... Stages>
GFDT_DEVICE void stage(const Stages&... stages) {
  (stages.start(), ...);
  wait_for_copies();
  (stages.finish(), ...);
  __syncthreads();
}

}  // namespace gfdt_device

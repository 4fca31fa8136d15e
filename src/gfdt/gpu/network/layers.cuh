#pragma once

// Convolutions and joins for the few samples of a thread group: values, directional derivatives and gradients. Tensors
// between layers are stored in memory as [sample][site][channel].

namespace gfdt_device {

/// An operation of a network, see program.hpp. Places count numbers per sample; `nowhere` means none.
struct Operation {
  int kind;
  int sites, in_channels, out_channels, taps, lead, unfolded;
  int swish, groups, accumulate, first;
  Cut forward, backward;
  unsigned in, out, after, skip, kept, slope, in_gradient;
  unsigned parameters;
};
enum Kind { convolution = 0, activation = 1, join = 2 };
constexpr unsigned nowhere = 0xffffffffu;

/// Workspace of a group with `count` of at most `capacity` samples.
struct Bench {
  float* numbers;
  int count, capacity;
  unsigned companions;
  __device__ float* value(unsigned place) const { return numbers + static_cast<long long>(place) * capacity; }
  __device__ float* companion(unsigned place) const { return value(place + companions); }
};

GFDT_DEVICE Rows rows_of(const Operation& o, const Bench& bench, const float* data, int channels, int unfolded) {
  return {data, bench.count * o.sites, o.sites, channels, unfolded, o.lead};
}

GFDT_DEVICE void forward_convolution(const Operation& o, const Bench& bench, const float* parameters) {
  const float* const weights = parameters + o.parameters;
  convolve<false>(rows_of(o, bench, bench.value(o.in), o.in_channels, o.unfolded), weights, o.taps / o.unfolded, 1,
                  o.lead, o.out_channels, o.forward,
                  {bench.value(o.out), o.swish ? bench.value(o.after) : nullptr,
                   weights + o.taps * o.in_channels * o.out_channels, nullptr, 0});
}

GFDT_DEVICE void tangent_convolution(const Operation& o, const Bench& bench, const float* parameters) {
  convolve<false>(
      rows_of(o, bench, bench.companion(o.in), o.in_channels, o.unfolded), parameters + o.parameters,
      o.taps / o.unfolded, 1, o.lead, o.out_channels, o.forward,
      {bench.companion(o.swish ? o.after : o.out), nullptr, nullptr, o.swish ? bench.value(o.out) : nullptr, 0});
}

/// Result of `tangent_convolution` for a unit input in `channel` of the site at `offset`, at every site.
GFDT_DEVICE void tangent_window(const Operation& o, const Bench& bench, const float* parameters, int offset,
                                int channel) {
  const int tap = offset + o.lead, size = bench.count * o.sites * o.out_channels;
  const float* const before = o.swish ? bench.value(o.out) : nullptr;
  float* const dy = bench.companion(o.swish ? o.after : o.out);
  for (int i = thread_number(); i < size; i += threads) {
    float v = 0;
    if (tap >= 0 && tap < o.taps)
      v = parameters[o.parameters + (tap * o.in_channels + channel) * o.out_channels + i % o.out_channels];
    dy[i] = before ? v * swish_slope(before[i]) : v;
  }
}

GFDT_DEVICE void convolution_gradient(const Operation& o, const Bench& bench, float* gradient, bool add) {
  const float* const dy = bench.companion(o.out);
  float* const own = gradient + o.parameters;
  const Rows x = rows_of(o, bench, bench.value(o.in), o.in_channels, o.unfolded);
  if (o.taps == o.unfolded)
    dense_gradient(x, dy, o.out_channels, own, add);
  else
    weight_gradient(x, dy, o.out_channels, o.taps, o.lead, own, add);
  column_sums(dy, bench.count * o.sites, o.out_channels, own + o.taps * o.in_channels * o.out_channels, add);
}

GFDT_DEVICE void backward_convolution(const Operation& o, const Bench& bench, const float* parameters) {
  if (o.first) return;
  convolve<true>(rows_of(o, bench, bench.companion(o.out), o.out_channels, 1), parameters + o.parameters, o.taps, -1,
                 o.lead, o.in_channels, o.backward,
                 {bench.companion(o.in_gradient), nullptr, nullptr, o.slope != nowhere ? bench.value(o.slope) : nullptr,
                  o.accumulate});
}

/// to[i] = work(i) for i < size, with several loads issued together.
template <class T, class Work>
GFDT_DEVICE void fill(T* to, int size, const Work& work) {
  for (int i0 = thread_number(); i0 < size; i0 += at_once * threads) {
    T v[at_once];
#pragma unroll
    for (int n = 0; n < at_once; ++n)
      if (i0 + n * threads < size) v[n] = work(i0 + n * threads);
#pragma unroll
    for (int n = 0; n < at_once; ++n)
      if (i0 + n * threads < size) to[i0 + n * threads] = v[n];
  }
}

/// y: each site of x twice, followed by the channels of the skip connection. T is one channel or four.
template <class T>
GFDT_DEVICE void join_rows(const T* x, const T* skip, T* y, int rows, int channels, int all) {
  fill(y, rows * all, [&](int i) {
    const int row = i / all, c = i % all;
    return c < channels ? x[row / 2 * channels + c] : skip[row * (all - channels) + c - channels];
  });
}

template <class T>
GFDT_DEVICE void part_rows(const T* dy, T* dx, T* dskip, int rows, int channels, int all, bool accumulate) {
  const int rest = all - channels;
  fill(dx, rows / 2 * channels, [&](int i) {
    const T* const from = dy + i / channels * 2 * all + i % channels;
    return sum_of(from[0], from[all]);
  });
  fill(dskip, rows * rest, [&](int i) {
    const T v = dy[i / rest * all + channels + i % rest];
    return accumulate ? sum_of(dskip[i], v) : v;
  });
}

static __noinline__ __device__ void forward_join(const Operation& o, const float* x, const float* skip, float* y,
                                                 int samples) {
  const int channels = o.in_channels, all = o.out_channels, rows = samples * o.sites;
  if (channels % 4 == 0 && all % 4 == 0)
    join_rows(reinterpret_cast<const float4*>(x), reinterpret_cast<const float4*>(skip), reinterpret_cast<float4*>(y),
              rows, channels / 4, all / 4);
  else
    join_rows(x, skip, y, rows, channels, all);
}

static __noinline__ __device__ void backward_join(const Operation& o, const float* dy, float* dx, float* dskip,
                                                  int samples) {
  const int channels = o.in_channels, all = o.out_channels, rows = samples * o.sites;
  if (channels % 4 == 0 && all % 4 == 0)
    part_rows(reinterpret_cast<const float4*>(dy), reinterpret_cast<float4*>(dx), reinterpret_cast<float4*>(dskip),
              rows, channels / 4, all / 4, o.accumulate);
  else
    part_rows(dy, dx, dskip, rows, channels, all, o.accumulate);
}

}  // namespace gfdt_device

#pragma once

// The layers of a network as one thread group works on a few samples: values, derivatives along a direction, and
// gradients. What stands between layers is in memory, [sample][site][channel].

namespace gfdt_device {

/// One step of a network, see program.hpp. Places count numbers for one sample; `nowhere` stands for none.
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

/// A group's samples: `count` of `capacity`.
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
  convolve<false>(rows_of(o, bench, bench.companion(o.in), o.in_channels, o.unfolded), parameters + o.parameters,
                  o.taps / o.unfolded, 1, o.lead, o.out_channels, o.forward,
                  {bench.companion(o.swish ? o.after : o.out), nullptr, nullptr,
                   o.swish ? bench.value(o.out) : nullptr, 0});
}

/// What `tangent_convolution` gives along the input channel `channel` of the site `offset` sites on, at every site.
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
  weight_gradient(rows_of(o, bench, bench.value(o.in), o.in_channels, o.unfolded), dy, o.out_channels,
                  o.taps / o.unfolded, o.lead, own, add);
  column_sums(dy, bench.count * o.sites, o.out_channels, own + o.taps * o.in_channels * o.out_channels, add);
}

GFDT_DEVICE void backward_convolution(const Operation& o, const Bench& bench, const float* parameters) {
  if (o.first) return;
  convolve<true>(rows_of(o, bench, bench.companion(o.out), o.out_channels, 1), parameters + o.parameters, o.taps, -1, o.lead, o.in_channels,
                 o.backward,
                 {bench.companion(o.in_gradient), nullptr, nullptr, o.slope != nowhere ? bench.value(o.slope) : nullptr,
                  o.accumulate});
}

/// to[i] = work(i) for i < size, with the loads of several together.
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

/// Means over the sites and channels of each group of each sample: of `sums` [sample][channel], weighted by `factor`
/// where given, to means [sample][group].
GFDT_DEVICE void group_means(const Operation& o, int samples, const float* sums, const float* factor, float* means) {
  const int size = o.out_channels / o.groups;
  const float share = 1.0f / static_cast<float>(size * o.sites);
  __syncthreads();
  for (int i = thread_number(); i < samples * o.groups; i += threads) {
    const int channel = i % o.groups * size;
    const float* const own = sums + i / o.groups * o.out_channels + channel;
    float total = 0;
    for (int c = 0; c < size; ++c) total += factor ? own[c] * factor[channel + c] : own[c];
    means[i] = total * share;
  }
  __syncthreads();
}

/// Calls work(sample, channel, group, place of its first site); sites are `out_channels` apart.
template <class Work>
GFDT_DEVICE void for_each_column(const Operation& o, int samples, const Work& work) {
  const int channels = o.out_channels, size = channels / o.groups;
  for (int i = thread_number(); i < samples * channels; i += threads) {
    const int sample = i / channels, channel = i % channels;
    work(i, channel, sample * o.groups + channel / size, sample * o.sites * channels + channel);
  }
}

/// The sites of a column, `at_once` at a time: load(place, n) of all, then work(place, n) of all. What is stored in
/// between would make loads wait.
template <class Load, class Work>
GFDT_DEVICE void for_each_site(int first, int sites, int channels, const Load& load, const Work& work) {
  for (int s = 0; s < sites; s += at_once) {
#pragma unroll
    for (int n = 0; n < at_once; ++n)
      if (s + n < sites) load(first + (s + n) * channels, n);
#pragma unroll
    for (int n = 0; n < at_once; ++n)
      if (s + n < sites) work(first + (s + n) * channels, n);
  }
}

/// y = swish(n), n = scale (x − mean)/√(variance + ε) + shift, or without the norm or without the swish.
static __noinline__ __device__ void forward_activation(const Operation& o, const Bench bench, const float* parameters) {
  const float* const x = bench.value(o.in);
  float* const y = bench.value(o.out);
  const int channels = o.out_channels, end = o.sites * channels;
  if (o.groups == 0) {
    fill(y, bench.count * end, [&](int i) { return swish(x[i]); });
    return;
  }
  float* const mean = bench.value(o.kept);
  float* const inverse = mean + bench.count * o.groups;
  float* const sums = group_memory();
  __syncthreads();
  for_each_column(o, bench.count, [&](int i, int, int, int first) {
    float sum = 0;
#pragma unroll 4
    for (int s = 0; s < end; s += channels) sum += x[first + s];
    sums[i] = sum;
  });
  group_means(o, bench.count, sums, nullptr, mean);
  for_each_column(o, bench.count, [&](int i, int, int group, int first) {
    const float centre = mean[group];
    float sum = 0;
#pragma unroll 4
    for (int s = 0; s < end; s += channels) {
      const float off = x[first + s] - centre;
      sum += off * off;
    }
    sums[i] = sum;
  });
  group_means(o, bench.count, sums, nullptr, inverse);
  for (int i = thread_number(); i < bench.count * o.groups; i += threads)
    inverse[i] = 1.0f / ::sqrtf(inverse[i] + group_norm_epsilon);
  __syncthreads();
  const float* const scale = parameters + o.parameters;
  for_each_column(o, bench.count, [&](int, int channel, int group, int first) {
    const float factor = scale[channel] * inverse[group];
    const float offset = scale[channels + channel] - factor * mean[group];
    float own[at_once];
    for_each_site(
        first, o.sites, channels, [&](int at, int n) { own[n] = x[at]; },
        [&](int at, int n) {
          const float normed = factor * own[n] + offset;
          y[at] = o.swish ? swish(normed) : normed;
        });
  });
}

/// The derivative of y along dx.
static __noinline__ __device__ void tangent_activation(const Operation& o, const Bench bench, const float* parameters) {
  const float* const x = bench.value(o.in);
  const float* const dx = bench.companion(o.in);
  float* const dy = bench.companion(o.out);
  const int channels = o.out_channels, end = o.sites * channels;
  if (o.groups == 0) {
    fill(dy, bench.count * end, [&](int i) { return dx[i] * swish_slope(x[i]); });
    return;
  }
  const float* const mean = bench.value(o.kept);
  const float* const inverse = mean + bench.count * o.groups;
  const int pairs = bench.count * channels;
  float *const sums = group_memory(), *const means = sums + 2 * pairs;
  __syncthreads();
  for_each_column(o, bench.count, [&](int i, int, int group, int first) {
    float sum = 0, along = 0;
#pragma unroll 4
    for (int s = 0; s < end; s += channels) {
      const float e = dx[first + s];
      sum += e;
      along += e * ((x[first + s] - mean[group]) * inverse[group]);
    }
    sums[i] = sum;
    sums[pairs + i] = along;
  });
  group_means(o, bench.count, sums, nullptr, means);
  group_means(o, bench.count, sums + pairs, nullptr, means + bench.count * o.groups);
  const float* const scale = parameters + o.parameters;
  for_each_column(o, bench.count, [&](int, int channel, int group, int first) {
    const float by = inverse[group], m1 = means[group], m2 = means[bench.count * o.groups + group];
    const float centre = mean[group], factor = scale[channel], shift = scale[channels + channel];
    float own[at_once], along[at_once];
    for_each_site(
        first, o.sites, channels, [&](int at, int n) { own[n] = x[at], along[n] = dx[at]; },
        [&](int at, int n) {
          const float normal = (own[n] - centre) * by, dn = factor * by * (along[n] - m1 - normal * m2);
          dy[at] = o.swish ? dn * swish_slope(factor * normal + shift) : dn;
        });
  });
}

/// From dy: dx, and the gradients by scale and shift.
static __noinline__ __device__ void backward_activation(const Operation& o, const Bench bench, const float* parameters, float* gradient,
                                     bool add) {
  const float* const x = bench.value(o.in);
  float* const dx = bench.companion(o.in);
  const float* const dy = bench.companion(o.out);
  const int channels = o.out_channels, end = o.sites * channels;
  if (o.groups == 0) {
    fill(dx, bench.count * end, [&](int i) { return dy[i] * swish_slope(x[i]); });
    return;
  }
  const float* const mean = bench.value(o.kept);
  const float* const inverse = mean + bench.count * o.groups;
  const float* const scale = parameters + o.parameters;
  const int pairs = bench.count * channels;
  float *const sums = group_memory(), *const means = sums + 2 * pairs;
  __syncthreads();
  for_each_column(o, bench.count, [&](int i, int channel, int group, int first) {
    const float centre = mean[group], by = inverse[group], factor = scale[channel], shift = scale[channels + channel];
    float sum = 0, along = 0, own[at_once], d[at_once];
    for_each_site(
        first, o.sites, channels, [&](int at, int n) { own[n] = x[at], d[n] = dy[at]; },
        [&](int at, int n) {
          const float normal = (own[n] - centre) * by;
          const float dn = o.swish ? d[n] * swish_slope(factor * normal + shift) : d[n];
          dx[at] = dn;
          sum += dn;
          along += dn * normal;
        });
    sums[i] = sum;
    sums[pairs + i] = along;
  });
  group_means(o, bench.count, sums, scale, means);
  group_means(o, bench.count, sums + pairs, scale, means + bench.count * o.groups);
  for_each_column(o, bench.count, [&](int, int channel, int group, int first) {
    const float by = inverse[group], m1 = means[group], m2 = means[bench.count * o.groups + group];
    const float centre = mean[group], factor = scale[channel];
    float own[at_once], d[at_once];
    for_each_site(
        first, o.sites, channels, [&](int at, int n) { own[n] = x[at], d[n] = dx[at]; },
        [&](int at, int n) { dx[at] = by * (d[n] * factor - m1 - (own[n] - centre) * by * m2); });
  });
  float* const own = gradient + o.parameters;
  for (int i = thread_number(); i < 2 * channels; i += threads) {
    const float* const from = i < channels ? sums + pairs + i : sums + i - channels;
    float sum = 0;
    for (int sample = 0; sample < bench.count; ++sample) sum += from[sample * channels];
    own[i] = add ? own[i] + sum : sum;
  }
}

GFDT_DEVICE float sum_of(float a, float b) { return a + b; }
GFDT_DEVICE float4 sum_of(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }

/// y: each site of x twice, then the channels of the skip. T: one channel or four.
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

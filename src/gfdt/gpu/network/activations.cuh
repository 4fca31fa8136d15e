#pragma once

// Group normalization and Swish between layers. A thread processes columns: one channel of one sample at all sites.

namespace gfdt_device {

/// Means over the sites and channels of each group of each sample: from `sums` [sample][channel], weighted by `factor`
/// unless null, to means [sample][group].
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

/// Calls work(column, channel, group, index of its first site). Sites are `out_channels` numbers apart.
template <class Work>
GFDT_DEVICE void for_each_column(const Operation& o, int samples, const Work& work) {
  const int channels = o.out_channels, size = channels / o.groups;
  for (int i = thread_number(); i < samples * channels; i += threads) {
    const int sample = i / channels, channel = i % channels;
    work(i, channel, sample * o.groups + channel / size, sample * o.sites * channels + channel);
  }
}

/// Processes the sites of a column, `at_once` at a time: load(index, n) for all, then work(index, n) for all, because
/// an intermediate store would delay the loads.
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

/// y = swish(n) with n = scale (x − mean)/√(variance + ε) + shift; normalization or Swish may be absent.
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

/// Derivative of y in the direction dx.
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

/// Computes dx and the gradients with respect to scale and shift from dy.
static __noinline__ __device__ void backward_activation(const Operation& o, const Bench bench, const float* parameters,
                                                        float* gradient, bool add) {
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

}  // namespace gfdt_device

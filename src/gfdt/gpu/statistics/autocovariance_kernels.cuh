#pragma once

#include "gfdt/gpu/statistics/autocovariance_span.hpp"

// Autocovariance of a field on a device. Values, minus a reference value per member, are stored as
// [sample][row][thread], with one thread per member, starting with the previous lags − 1 samples. There is one row per
// site, and one for the sum over sites.

namespace gfdt_device {

constexpr unsigned value_rows = quantities + 1;

/// Access to the rows of one sample and member.
struct ValueRows {
  double* first;
  unsigned long long threads;
  __forceinline__ __device__ double& operator[](unsigned row) const { return first[row * threads]; }
};

/// Evaluates a sample and stores it after the previous ones.
GFDT_DEVICE ValueRows evaluate_sample(const Uniforms& u, const AutocovarianceSpan& span, unsigned long long sample,
                                      unsigned thread, const From* record, double* values) {
  const From* const x =
      record + thread / lanes * span.stride + (span.from + sample) * state_rows * lanes + thread % lanes;
  const ValueRows rows{values + (span.lags - 1 + sample) * value_rows * span.threads + thread, span.threads};
  evaluate(u, x, rows);
  return rows;
}

/// Reference: the value of the first sample at the first site.
extern "C" __global__ void __launch_bounds__(128)
    gfdt_reference(const Uniforms u, const AutocovarianceSpan span, const From* record, double* values,
                   double* reference) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread < span.threads) reference[thread] = evaluate_sample(u, span, 0, thread, record, values)[0];
}

extern "C" __global__ void __launch_bounds__(128)
    gfdt_field(const Uniforms u, const AutocovarianceSpan span, const From* record, const double* reference,
               double* values) {
  const unsigned long long number = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const unsigned long long sample = number / span.threads;
  const unsigned thread = static_cast<unsigned>(number % span.threads);
  if (sample >= span.samples) return;
  const ValueRows rows = evaluate_sample(u, span, sample, thread, record, values);
  double sum = 0;
  for (unsigned row = 0; row < quantities; ++row) sum += rows[row] -= reference[thread];
  rows[quantities] = sum;
}

/// products[lag][thread] += products of the samples with earlier ones; values before the first sample are 0.
extern "C" __global__ void __launch_bounds__(128)
    gfdt_lagged(const AutocovarianceSpan span, const double* values, double* products) {
  const unsigned long long number = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const unsigned long long size = static_cast<unsigned long long>(value_rows) * span.threads;
  const unsigned thread = static_cast<unsigned>(number % span.threads);
  const unsigned long long lag = number / span.threads;
  if (lag >= span.lags) return;
  const double* now = values + (span.lags - 1) * size + thread;
  const double* before = now - lag * size;
  double sum = products[number];
  for (unsigned long long s = 0; s < span.samples; ++s, now += size, before += size) {
    double product = 0;
#pragma unroll 4
    for (unsigned row = 0; row < quantities; ++row)
      product += now[static_cast<unsigned long long>(row) * span.threads] *
                 before[static_cast<unsigned long long>(row) * span.threads];
    sum += product;
  }
  products[number] = sum;
}

/// Accumulates the sums over sites, stores those of the first samples, and moves the last samples to the front.
extern "C" __global__ void __launch_bounds__(128)
    gfdt_keep(const AutocovarianceSpan span, double* values, double* total, double* first) {
  const unsigned long long number = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const unsigned long long size = static_cast<unsigned long long>(value_rows) * span.threads;
  if (number >= size) return;
  double* const own = values + number;
  const unsigned reach = span.lags - 1;
  if (number / span.threads == quantities) {
    const unsigned thread = static_cast<unsigned>(number % span.threads);
    double sum = total[thread];
    for (unsigned long long s = 0; s < span.samples; ++s) {
      const double now = own[(reach + s) * size];
      sum += now;
      if (span.seen + s < reach) first[(span.seen + s) * span.threads + thread] = now;
    }
    total[thread] = sum;
  }
  for (unsigned b = 0; b < reach; ++b) own[b * size] = own[(span.samples + b) * size];
}

}  // namespace gfdt_device

#pragma once

#include "gfdt/gpu/jacobian/lag_span.hpp"

// Products at many lags on a device: the sums of LagProducts, in the same order of summation. Signals are stored as
// [sample][row][thread] and bins as [bin][row][thread], with one thread per member. Of the `quantities` later rows, the
// first `products_rows` are multiplied with the `columns` earlier rows: a constant, and the last rows of the state.

namespace gfdt_device {

/// Computes the signals of new samples and stores them after the pending ones.
extern "C" __global__ void __launch_bounds__(128)
    gfdt_signals(const Uniforms u, const LagSpan span, const From* record, double* later, double* earlier) {
  const unsigned long long number = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const unsigned long long sample = number / span.threads;
  const unsigned thread = static_cast<unsigned>(number % span.threads);
  if (sample >= span.samples) return;
  const From* const x =
      record + thread / lanes * span.stride + (span.from + sample) * state_rows * lanes + thread % lanes;
  Real value[quantities];
  evaluate(u, x, value);
  double* const to = later + (span.pending + sample) * quantities * span.threads + thread;
#pragma unroll
  for (unsigned row = 0; row < quantities; ++row) to[static_cast<unsigned long long>(row) * span.threads] = value[row];
  double* const rates = earlier + (span.pending + sample) * columns * span.threads + thread;
  rates[0] = 1;
#pragma unroll
  for (unsigned c = 1; c < columns; ++c)
    rates[static_cast<unsigned long long>(c) * span.threads] =
        static_cast<double>(x[(state_rows - columns + c) * lanes]);
}

/// Sums over the samples of each complete bin, for `rows` rows.
extern "C" __global__ void __launch_bounds__(128)
    gfdt_bins(const LagSpan span, unsigned rows, const double* signals, double* bins) {
  const unsigned long long number = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const unsigned thread = static_cast<unsigned>(number % span.threads);
  const unsigned long long row = number / span.threads % rows, bin = number / span.threads / rows;
  if (bin >= span.bins) return;
  double sum = 0;
  for (unsigned s = 0; s < span.bin; ++s) sum += signals[((bin * span.bin + s) * rows + row) * span.threads + thread];
  bins[((span.reach + bin) * rows + row) * span.threads + thread] = sum;
}

/// products[node][later][earlier][thread] += products of the new bins.
extern "C" __global__ void __launch_bounds__(128)
    gfdt_products(const LagSpan span, const double* later, const double* earlier, const double* later_bins,
                  const double* earlier_bins, double* products) {
  const unsigned long long number = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const unsigned long long threads = span.threads;
  const unsigned thread = static_cast<unsigned>(number % threads);
  const unsigned long long row = number / threads % products_rows, node = number / threads / products_rows;
  if (node > span.reach) return;
  double sum[columns];
  double* const to = products + (node * products_rows + row) * columns * threads + thread;
#pragma unroll
  for (unsigned c = 0; c < columns; ++c) sum[c] = to[c * threads];
  if (node > 0) {
    for (unsigned long long b = span.reach; b < span.reach + span.bins; ++b) {
      const double a = later_bins[(b * quantities + row) * threads + thread];
#pragma unroll
      for (unsigned c = 0; c < columns; ++c) sum[c] += a * earlier_bins[((b - node) * columns + c) * threads + thread];
    }
  } else {
    for (unsigned long long b = 0; b < span.bins; ++b) {
      double running[columns] = {};
      for (unsigned long long s = b * span.bin; s < (b + 1) * span.bin; ++s) {
        const double a = later[(s * quantities + row) * threads + thread];
#pragma unroll
        for (unsigned c = 0; c < columns; ++c) {
          const double g = earlier[(s * columns + c) * threads + thread];
          running[c] += g;
          sum[c] += a * (running[c] - 0.5 * g);
        }
      }
    }
  }
#pragma unroll
  for (unsigned c = 0; c < columns; ++c) to[c * threads] = sum[c];
}

/// squares[node][later][thread] += products of the new bins.
extern "C" __global__ void __launch_bounds__(128)
    gfdt_squares(const LagSpan span, const double* bins, double* squares) {
  const unsigned long long number = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const unsigned long long threads = span.threads;
  const unsigned thread = static_cast<unsigned>(number % threads);
  const unsigned long long row = number / threads % quantities, node = number / threads / quantities;
  if (node > span.reach) return;
  double sum = squares[number];
  for (unsigned long long b = span.reach; b < span.reach + span.bins; ++b)
    sum += bins[(b * quantities + row) * threads + thread] * bins[((b - node) * quantities + row) * threads + thread];
  squares[number] = sum;
}

/// Adds the new bins to the total sums. Moves the last bins, which later bins need, and the samples of the incomplete
/// bin to the front.
extern "C" __global__ void __launch_bounds__(128)
    gfdt_move_on(const LagSpan span, unsigned rows, double* signals, double* bins, double* sums) {
  const unsigned long long number = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const unsigned long long size = static_cast<unsigned long long>(rows) * span.threads;
  if (number >= size) return;
  double sum = sums[number];
  for (unsigned long long b = 0; b < span.bins; ++b) sum += bins[(span.reach + b) * size + number];
  sums[number] = sum;
  for (unsigned long long b = 0; b < span.reach; ++b) bins[b * size + number] = bins[(span.bins + b) * size + number];
  const unsigned long long used = static_cast<unsigned long long>(span.bins) * span.bin;
  for (unsigned long long s = used; s < span.pending + span.samples; ++s)
    signals[(s - used) * size + number] = signals[s * size + number];
}

}  // namespace gfdt_device

#pragma once

#include "gfdt/gpu/jacobian/rate_span.hpp"

// Rates of weights on a device: a sample is passed on when the next one is known (weighted_source.hpp).

constexpr unsigned lanes = 64;

namespace gfdt_device {

/// Writes the samples that can be passed on to `to`. One thread per block, row and lane, which iterates over the
/// samples.
extern "C" __global__ void __launch_bounds__(128)
    gfdt_rates(const RateSpan span, const Real* from, Real* waiting, Real* to) {
  const unsigned long long number = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const unsigned long long size = static_cast<unsigned long long>(span.rows) * lanes;
  const unsigned long long block = number / size, place = number % size;
  if (block >= span.blocks) return;
  const bool weight = place / lanes >= span.own_rows;
  const Real* const x = from + block * span.from_stride + place;
  Real* shown = to + block * span.to_stride + place;
  Real before = waiting[number];
  for (unsigned long long s = 0; s < span.samples; ++s) {
    const Real now = x[s * size];
    if (s > 0 || span.held) {
      *shown = weight ? (now - before) * static_cast<Real>(span.inverse_interval) : before;
      shown += size;
    }
    before = now;
  }
  waiting[number] = before;
  if (span.last) *shown = weight ? Real(0) : before;
}

}  // namespace gfdt_device

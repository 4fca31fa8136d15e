#pragma once

#include "gfdt/gpu/statistics/series_span.hpp"

// Sums of series on a device, one thread per member: the sums of SeriesSums, in the same order of summation.

namespace gfdt_device {

/// Propagates the average of a group up the levels; `slot` returns a number of this quantity and member.
template <class Slot>
GFDT_DEVICE void close_group(const SeriesSpan& span, unsigned long long done, double sum, const Slot& slot) {
  const unsigned long long part = done * series_parts / span.groups;
  slot(3 + static_cast<unsigned>(part < series_parts ? part : series_parts - 1)) += sum;
  double carry = sum * (1 / static_cast<double>(span.group));
  const unsigned first = 3 + series_parts;
  for (unsigned level = 0; level < span.levels; ++level, done /= 2) {
    double& waiting = slot(first + level);
    slot(first + span.levels + level) += carry;
    slot(first + 2 * span.levels + level) += carry * carry;
    if (done % 2 == 0) {
      waiting = carry;
      return;
    }
    carry = 0.5 * (carry + waiting);
  }
}

/// sums: [block][slot][quantity][lane]. The slots are the reference, the sum of the incomplete group, Σ v², the parts;
/// then, with one slot per level each, pending averages, sums and squares.
extern "C" __global__ void __launch_bounds__(128)
    gfdt_series(const Uniforms u, const SeriesSpan span, const Real* record, double* sums) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, block = thread / lanes;
  if (block >= span.blocks) return;
  double* const own = sums + static_cast<unsigned long long>(block) * span.slots * quantities * lanes + thread % lanes;
  const Real* from = record + block * span.stride + thread % lanes;
  double reference[quantities], sum[quantities], square[quantities];
#pragma unroll
  for (unsigned q = 0; q < quantities; ++q) {
    reference[q] = own[q * lanes];
    sum[q] = own[(quantities + q) * lanes];
    square[q] = own[(2 * quantities + q) * lanes];
  }
  unsigned long long in_group = span.first_sample % span.group, done = span.first_sample / span.group;
  for (unsigned long long s = 0; s < span.samples; ++s, from += state_rows * lanes) {
    Real value[quantities];
    evaluate(u, from, value);
#pragma unroll
    for (unsigned q = 0; q < quantities; ++q) {
      if (span.first_sample + s == 0) reference[q] = static_cast<double>(value[q]);
      const double v = static_cast<double>(value[q]) - reference[q];
      sum[q] += v;
      square[q] += v * v;
    }
    if (++in_group < span.group) continue;
#pragma unroll
    for (unsigned q = 0; q < quantities; ++q) {
      close_group(span, done, sum[q], [&](unsigned slot) -> double& { return own[(slot * quantities + q) * lanes]; });
      sum[q] = 0;
    }
    in_group = 0;
    ++done;
  }
#pragma unroll
  for (unsigned q = 0; q < quantities; ++q) {
    own[q * lanes] = reference[q];
    own[(quantities + q) * lanes] = sum[q];
    own[(2 * quantities + q) * lanes] = square[q];
  }
}

}  // namespace gfdt_device

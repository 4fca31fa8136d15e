#pragma once

// Sums over samples on a device, in a fixed order. Values are stored as [sample][column], first the functions, then the
// targets.

namespace gfdt_device {

/// Consecutive samples of one group.
struct Segment {
  unsigned group, first, end;
};

/// Initializes targets with the quantities of blocks of states, [block][quantity][lane].
extern "C" __global__ void __launch_bounds__(128)
    gfdt_targets(const SampleSpan span, const unsigned functions, const unsigned targets, const unsigned columns,
                 const unsigned quantity_count, const int* quantity_of, const double* given, double* values) {
  const unsigned target = blockIdx.x % targets, sample = blockIdx.x / targets * group_size + threadIdx.x;
  if (sample >= span.samples) return;
  const int own = quantity_of[target];
  const unsigned long long block = sample / lanes;
  values[static_cast<unsigned long long>(sample) * columns + functions + target] =
      own < 0 ? 0 : given[(block * quantity_count + own) * lanes + sample % lanes];
}

/// Adds Σ c φ to the target of each set of coefficients; `changed` holds the functions after an operator,
/// [function][sample].
extern "C" __global__ void __launch_bounds__(128)
    gfdt_combine(const SampleSpan span, const unsigned functions, const unsigned sets, const unsigned columns,
                 const unsigned first, const unsigned step, const double* coefficients, const double* changed,
                 double* values) {
  const unsigned set = blockIdx.x % sets, sample = blockIdx.x / sets * group_size + threadIdx.x;
  if (sample >= span.samples) return;
  const double* const c = coefficients + static_cast<unsigned long long>(set) * functions;
  double sum = 0;
  for (unsigned k = 0; k < functions; ++k)
    sum += c[k] * changed[static_cast<unsigned long long>(k) * span.room + sample];
  values[static_cast<unsigned long long>(sample) * columns + first + set * step] += sum;
}

/// sums[group][column] += functions, targets and squared targets; one thread per segment and sum.
extern "C" __global__ void __launch_bounds__(128)
    gfdt_group_sums(const unsigned segment_count, const unsigned functions, const unsigned columns,
                    const Segment* segments, const double* values, double* sums) {
  const unsigned width = 2 * columns - functions, number = blockIdx.x * blockDim.x + threadIdx.x;
  if (number / width >= segment_count) return;
  const Segment segment = segments[number / width];
  const unsigned place = number % width, column = place < columns ? place : place - columns + functions;
  double sum = 0;
  for (unsigned long long s = segment.first; s < segment.end; ++s) {
    const double value = values[s * columns + column];
    sum += place < columns ? value : value * value;
  }
  sums[static_cast<unsigned long long>(segment.group) * width + place] += sum;
}

constexpr unsigned tile = 64, tile_threads = 16, tile_share = 4;

/// sums[slice][function][column − first] += products of functions with the columns from `first`. A group of 16 × 16
/// threads computes a tile of 64 × 64 products for one slice of the samples.
extern "C" __global__ void __launch_bounds__(256)
    gfdt_products(const SampleSpan span, const unsigned slices, const unsigned functions, const unsigned columns,
                  const unsigned first, const double* values, double* sums) {
  const unsigned width = columns - first, across = (width + tile - 1) / tile, number = blockIdx.x / slices;
  const unsigned slice = blockIdx.x % slices;
  unsigned row[tile_share], column[tile_share], from_row[tile_share], from_column[tile_share];
#pragma unroll
  for (unsigned i = 0; i < tile_share; ++i) {
    row[i] = number / across * tile + threadIdx.x / tile_threads + i * tile_threads;
    column[i] = number % across * tile + threadIdx.x % tile_threads + i * tile_threads;
    from_row[i] = row[i] < functions ? row[i] : 0;
    from_column[i] = first + (column[i] < width ? column[i] : 0);
  }
  const unsigned begin = static_cast<unsigned>(static_cast<unsigned long long>(span.samples) * slice / slices),
                 end = static_cast<unsigned>(static_cast<unsigned long long>(span.samples) * (slice + 1) / slices);
  double sum[tile_share][tile_share] = {};
  for (unsigned long long s = begin; s < end; ++s) {
    const double* const value = values + s * columns;
    double a[tile_share], b[tile_share];
#pragma unroll
    for (unsigned i = 0; i < tile_share; ++i) a[i] = value[from_row[i]], b[i] = value[from_column[i]];
#pragma unroll
    for (unsigned i = 0; i < tile_share; ++i)
#pragma unroll
      for (unsigned j = 0; j < tile_share; ++j) sum[i][j] += a[i] * b[j];
  }
#pragma unroll
  for (unsigned i = 0; i < tile_share; ++i)
#pragma unroll
    for (unsigned j = 0; j < tile_share; ++j)
      if (row[i] < functions && column[j] < width)
        sums[(static_cast<unsigned long long>(slice) * functions + row[i]) * width + column[j]] += sum[i][j];
}

/// Adds all slices to the first one.
extern "C" __global__ void __launch_bounds__(128)
    gfdt_total(const unsigned slices, const unsigned long long size, double* sums) {
  const unsigned long long number = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (number >= size) return;
  double sum = 0;
  for (unsigned slice = 0; slice < slices; ++slice) sum += sums[slice * size + number];
  sums[number] = sum;
}

}  // namespace gfdt_device

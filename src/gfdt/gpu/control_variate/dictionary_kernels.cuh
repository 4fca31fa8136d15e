#pragma once

// Functions of a dictionary on a device. Rows of formulas and profiles are stored as [row][sample] with room for
// `span.room` samples. One thread per sample and coordinate, or per sample and function.

namespace gfdt_device {

constexpr unsigned group_size = 128;

struct SampleSpan {
  unsigned samples, room;
};

struct CoordinatePlaces {
  double mean, factor;       ///< z = factor·(y − mean)
  unsigned first, profiles;  ///< first profile and number of profiles per site
  unsigned in_table, padding;
};

struct ProfileShape {
  double centre, width;
  int shape, order;  ///< 0: Hermite, 1: power, 2: bump
};

struct ProductPlaces {
  int factors;
  int offset[4], profile[4], profiles[4], applied[4], coupling[4][4];
};

GFDT_DEVICE unsigned groups_of_samples(const SampleSpan& span) { return (span.samples + group_size - 1) / group_size; }

/// Access to the rows of one sample.
struct OwnRows {
  double* first;
  unsigned long long room;
  __forceinline__ __device__ double& operator[](unsigned row) const { return first[row * room]; }
};

/// Evaluates the formulas of blocks of states, [block][component][lane].
extern "C" __global__ void __launch_bounds__(128)
    gfdt_rows(const Uniforms u, const SampleSpan span, const double* states, double* rows) {
  const unsigned sample = blockIdx.x * blockDim.x + threadIdx.x;
  if (sample >= span.samples) return;
  evaluate(u, states + static_cast<unsigned long long>(sample / lanes) * state_rows * lanes + sample % lanes,
           OwnRows{rows + sample, span.room});
}

/// Values, first and second derivatives of all profiles of a coordinate at a site. The first rows hold the coordinates.
extern "C" __global__ void __launch_bounds__(128)
    gfdt_profiles(const SampleSpan span, const unsigned sites, const CoordinatePlaces* coordinates,
                  const ProfileShape* shapes, const double* rows, double* profiles) {
  const unsigned place = blockIdx.x / groups_of_samples(span);
  const unsigned sample = blockIdx.x % groups_of_samples(span) * group_size + threadIdx.x;
  if (sample >= span.samples) return;
  const CoordinatePlaces y = coordinates[place / sites];
  const unsigned long long room = span.room;
  const double z = y.factor * (rows[place * room + sample] - y.mean);
  double* to = profiles + 3ull * (y.first + place % sites * y.profiles) * room + sample;
  double lower = 1, lowest = 0;  // Hermite polynomials of the two preceding degrees
  for (unsigned n = 0; n < y.profiles; ++n, to += 3 * room) {
    const ProfileShape p = shapes[y.in_table + n];
    double value, slope, curvature;
    if (p.shape == 0) {
      const double root = ::sqrt(double(p.order)), before = ::sqrt(double(p.order - 1));
      value = (z * lower - before * lowest) / root;
      slope = root * lower;
      curvature = root * before * lowest;
      lowest = lower;
      lower = value;
    } else if (p.shape == 1) {
      double power = 1;
      for (int i = 2; i < p.order; ++i) power *= z;
      value = p.order == 1 ? z : power * z * z;
      slope = p.order == 1 ? 1 : p.order * power * z;
      curvature = p.order * (p.order - 1) * power;
    } else {
      const double t = (z - p.centre) / p.width;
      value = ::exp(-0.5 * t * t);
      slope = -t * value / p.width;
      curvature = (t * t - 1) * value / (p.width * p.width);
    }
    to[0] = value;
    to[room] = slope * y.factor;
    to[2 * room] = curvature * y.factor * y.factor;
  }
}

/// Sum over all sites of an operator applied to a product, for one sample; `rows` and `profiles` start at this sample.
template <int factors>
GFDT_DEVICE double applied(const ProductPlaces& p, const int sites, const unsigned long long room, const double* rows,
                           const double* profiles) {
  double total = 0;
  for (int site = 0; site < sites; ++site) {
    double value[factors], slope[factors], curvature[factors];
    int at[factors];
#pragma unroll
    for (int a = 0; a < factors; ++a) {
      at[a] = site + p.offset[a] < sites ? site + p.offset[a] : site + p.offset[a] - sites;
      const double* const from = profiles + 3ull * (p.profile[a] + at[a] * p.profiles[a]) * room;
      value[a] = from[0];
      slope[a] = from[room];
      curvature[a] = from[2 * room];
    }
#pragma unroll
    for (int a = 0; a < factors; ++a) {
      double term = p.applied[a] < 0 ? 0 : slope[a] * rows[(p.applied[a] + at[a]) * room];
      if (p.coupling[a][a] >= 0) term += 0.5 * curvature[a] * rows[(p.coupling[a][a] + at[a]) * room];
#pragma unroll
      for (int i = 0; i < factors; ++i)
        if (i != a) term *= value[i];
      total += term;
#pragma unroll
      for (int b = a + 1; b < factors; ++b) {
        double both = p.coupling[a][b] < 0 ? 0 : slope[a] * slope[b] * rows[(p.coupling[a][b] + at[a]) * room];
#pragma unroll
        for (int i = 0; i < factors; ++i)
          if (i != a && i != b) both *= value[i];
        total += both;
      }
    }
  }
  return total;
}

/// Applies an operator to all functions: mean over the sites of a ring.
extern "C" __global__ void __launch_bounds__(128)
    gfdt_apply(const SampleSpan span, const int sites, const unsigned functions, const ProductPlaces* products,
               const double* rows, const double* profiles, const unsigned long long sample_stride,
               const unsigned long long function_stride, double* values) {
  const unsigned function = blockIdx.x % functions, sample = blockIdx.x / functions * group_size + threadIdx.x;
  if (sample >= span.samples) return;
  const ProductPlaces& p = products[function];
  const double *const own_rows = rows + sample, *const own_profiles = profiles + sample;
  const double total = p.factors == 1   ? applied<1>(p, sites, span.room, own_rows, own_profiles)
                       : p.factors == 2 ? applied<2>(p, sites, span.room, own_rows, own_profiles)
                       : p.factors == 3 ? applied<3>(p, sites, span.room, own_rows, own_profiles)
                                        : applied<4>(p, sites, span.room, own_rows, own_profiles);
  values[sample * sample_stride + function * function_stride] = total / sites;
}

}  // namespace gfdt_device

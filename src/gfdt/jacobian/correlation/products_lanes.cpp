// Compiled once for each instruction set.
#include "gfdt/codegen/lanes/independent.hpp"
#include "gfdt/codegen/lanes/vector.hpp"

namespace gfdt::jacobian::GFDT_LANES_NAMESPACE {
namespace {

using V = ::GFDT_LANES_NAMESPACE::Vector<double>;
constexpr long width = ::GFDT_LANES_NAMESPACE::width<double>;

/// Rows of both factors that are held in registers at once.
constexpr int tile = 4;

struct Factors {
  const double* later;
  const double* earlier;
  long later_stride, earlier_stride;  ///< between samples
  long samples, lanes;
};

template <int rows, int columns>
inline __attribute__((always_inline)) void add_tile(const Factors& f, const double* later, const double* earlier,
                                                    double* sum, long row_stride) {
  for (long lane = 0; lane < f.lanes; lane += width) {
    V total[rows][columns];
    for (int a = 0; a < rows; ++a)
      for (int b = 0; b < columns; ++b)
        total[a][b] = ::GFDT_LANES_NAMESPACE::load(sum + a * row_stride + b * f.lanes + lane);
    const double *x = later + lane, *y = earlier + lane;
    for (long s = 0; s < f.samples; ++s, x += f.later_stride, y += f.earlier_stride) {
      V right[columns];
      for (int b = 0; b < columns; ++b) right[b] = ::GFDT_LANES_NAMESPACE::load(y + b * f.lanes);
      for (int a = 0; a < rows; ++a) {
        const V left = ::GFDT_LANES_NAMESPACE::load(x + a * f.lanes);
        for (int b = 0; b < columns; ++b) total[a][b] += left * right[b];
      }
    }
    for (int a = 0; a < rows; ++a)
      for (int b = 0; b < columns; ++b)
        ::GFDT_LANES_NAMESPACE::store(sum + a * row_stride + b * f.lanes + lane, total[a][b]);
  }
}

template <int rows>
void add_rows(const Factors& f, const double* later, const double* earlier, double* sum, int columns) {
  const long row_stride = columns * f.lanes;
  int b = 0;
  for (; b + tile <= columns; b += tile)
    add_tile<rows, tile>(f, later, earlier + b * f.lanes, sum + b * f.lanes, row_stride);
  if (columns - b == 3) add_tile<rows, 3>(f, later, earlier + b * f.lanes, sum + b * f.lanes, row_stride);
  if (columns - b == 2) add_tile<rows, 2>(f, later, earlier + b * f.lanes, sum + b * f.lanes, row_stride);
  if (columns - b == 1) add_tile<rows, 1>(f, later, earlier + b * f.lanes, sum + b * f.lanes, row_stride);
}

}  // namespace

/// sum[a][b][lane] += Σ_s later[s][a][lane]·earlier[s][b][lane]; lanes are a multiple of 8.
void add_products(const double* later, long later_stride, int rows, const double* earlier, long earlier_stride,
                  int columns, long samples, long lanes, double* sum) {
  const Factors f{later, earlier, later_stride, earlier_stride, samples, lanes};
  int a = 0;
  for (; a + tile <= rows; a += tile) add_rows<tile>(f, later + a * lanes, earlier, sum + a * columns * lanes, columns);
  if (rows - a == 3) add_rows<3>(f, later + a * lanes, earlier, sum + a * columns * lanes, columns);
  if (rows - a == 2) add_rows<2>(f, later + a * lanes, earlier, sum + a * columns * lanes, columns);
  if (rows - a == 1) add_rows<1>(f, later + a * lanes, earlier, sum + a * columns * lanes, columns);
}

/// sum[i] += Σ_s x[s][i]·y[s][i]
void add_squares(const double* x, const double* y, long stride, long samples, long count, double* sum) {
  for (long s = 0; s < samples; ++s, x += stride, y += stride) {
    GFDT_LANES_INDEPENDENT
    for (long i = 0; i < count; ++i) sum[i] += x[i] * y[i];
  }
}

/// sum[i] += values[i], and half[i] = sum[i] − ½ values[i]: all previous values plus half of the current one.
void add_running(const double* values, long count, double* sum, double* half) {
  GFDT_LANES_INDEPENDENT
  for (long i = 0; i < count; ++i) {
    sum[i] += values[i];
    half[i] = sum[i] - 0.5 * values[i];
  }
}

/// sum[i] += values[i]
void add_values(const double* values, long count, double* sum) {
  GFDT_LANES_INDEPENDENT
  for (long i = 0; i < count; ++i) sum[i] += values[i];
}

}  // namespace gfdt::jacobian::GFDT_LANES_NAMESPACE

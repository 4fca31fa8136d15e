// Compiled once for each instruction set.
#include "gfdt/codegen/lanes/vector.hpp"

namespace gfdt::score::GFDT_LANES_NAMESPACE {
namespace {

using Vector = ::GFDT_LANES_NAMESPACE::Vector<double>;
constexpr int width = ::GFDT_LANES_NAMESPACE::width<double>;
constexpr int tile = 16;

/// Multiplies `rows` rows with two vectors of lanes: as many sums as fit into registers on every instruction set.
template <int rows>
inline __attribute__((always_inline)) void multiply_rows(const double* matrix, long columns, const double* x,
                                                         double* y) {
  Vector sum[rows][2] = {};
  for (long j = 0; j < columns; ++j) {
    const Vector* at = reinterpret_cast<const Vector*>(x + j * tile);
    const Vector first = at[0], second = at[1];
    for (int i = 0; i < rows; ++i) {
      const double factor = matrix[i * columns + j];
      sum[i][0] += factor * first;
      sum[i][1] += factor * second;
    }
  }
  for (int i = 0; i < rows; ++i) {
    Vector* to = reinterpret_cast<Vector*>(y + i * tile);
    to[0] = sum[i][0];
    to[1] = sum[i][1];
  }
}

}  // namespace

/// y = M x for a tile of lanes, x [column][lane] and y [row][lane], both aligned to 64 bytes.
void multiply_tile(const double* matrix, long rows, long columns, const double* x, double* y) {
  for (int lane = 0; lane < tile; lane += 2 * width) {
    long i = 0;
    for (; i + 4 <= rows; i += 4) multiply_rows<4>(matrix + i * columns, columns, x + lane, y + i * tile + lane);
    for (; i < rows; ++i) multiply_rows<1>(matrix + i * columns, columns, x + lane, y + i * tile + lane);
  }
}

}  // namespace gfdt::score::GFDT_LANES_NAMESPACE

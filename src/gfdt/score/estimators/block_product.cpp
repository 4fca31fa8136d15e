#include "gfdt/score/estimators/block_product.hpp"

#include <algorithm>
#include <cstddef>

#include "gfdt/codegen/lanes/isa.hpp"
#include "gfdt/codegen/program/aligned_array.hpp"

namespace gfdt::score {

GFDT_DECLARE_FOR_EACH_ISA(void multiply_tile(const double* matrix, long rows, long columns, const double* x,
                                             double* y);)

namespace {

/// Number of lanes of a tile, as in block_product_lanes.cpp.
constexpr std::size_t tile = 16;

}  // namespace

void block_product(const double* matrix, int rows, int columns, const double* x, int lanes, double* y) {
  const auto multiply = GFDT_CHOOSE_ISA(lanes::best_isa(), multiply_tile);
  const std::size_t height = static_cast<std::size_t>(columns), width = static_cast<std::size_t>(lanes);
  codegen::AlignedArray<double> x_tile(height * tile), y_tile(static_cast<std::size_t>(rows) * tile);
  for (std::size_t first = 0; first < width; first += tile) {
    const std::size_t count = std::min(tile, width - first);
    for (std::size_t i = 0; i < height; ++i) std::copy_n(x + i * width + first, count, &x_tile[i * tile]);
    multiply(matrix, rows, columns, x_tile.data(), y_tile.data());
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i)
      std::copy_n(&y_tile[i * tile], count, y + i * width + first);
  }
}

}  // namespace gfdt::score

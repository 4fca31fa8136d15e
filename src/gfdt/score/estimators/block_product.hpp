#pragma once

namespace gfdt::score {

/// y = M x for each lane: `matrix` is [row][column], x [column][lane] and y [row][lane]. The result in a lane depends
/// bit for bit on that lane only, not on its position in the block. x and y must not overlap.
void block_product(const double* matrix, int rows, int columns, const double* x, int lanes, double* y);

}  // namespace gfdt::score

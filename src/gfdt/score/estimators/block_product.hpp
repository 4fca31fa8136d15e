#pragma once

namespace gfdt::score {

/// y = M x for each lane: `matrix` is [row][column], x [column][lane] and y [row][lane]. What comes out in a lane
/// depends on that lane alone, bit for bit, wherever in a block it stands. x and y do not overlap.
void block_product(const double* matrix, int rows, int columns, const double* x, int lanes, double* y);

}  // namespace gfdt::score

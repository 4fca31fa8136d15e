#pragma once

namespace gfdt::benchmark {

/// Single-precision multiplications and additions a second on one core, measured.
double peak_flops();

}  // namespace gfdt::benchmark

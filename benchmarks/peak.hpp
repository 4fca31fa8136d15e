#pragma once

namespace gfdt::benchmark {

/// Measured single-precision multiplications and additions per second on one core.
double peak_flops();

}  // namespace gfdt::benchmark

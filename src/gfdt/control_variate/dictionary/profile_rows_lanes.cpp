// Compiled once for each instruction set.
#include "gfdt/codegen/lanes/exponential.hpp"
#include "gfdt/control_variate/dictionary/product_rows.hpp"

namespace gfdt::control_variate::GFDT_LANES_NAMESPACE {

namespace v = ::GFDT_LANES_NAMESPACE;

/// Orthonormal Hermite polynomials of z: √n h_n = z h_{n−1} − √(n−1) h_{n−2}, h_n′ = √n h_{n−1}. The polynomials of
/// lower degrees must precede this one in memory.
void hermite_row(int n, double mean, double factor, const double* y, double* values) {
  const double root = __builtin_sqrt(n), before = __builtin_sqrt(n - 1);
  const double* const first = n > 1 ? values - 3 * lanes : nullptr;
  const double* const second = n > 2 ? values - 6 * lanes : nullptr;
  for (int lane = 0; lane < lanes; ++lane) {
    const double z = (y[lane] - mean) * factor;
    const double lower = n > 1 ? first[lane] : 1, lowest = n > 2 ? second[lane] : n == 2 ? 1 : 0;
    values[lane] = (z * lower - before * lowest) / root;
    values[lanes + lane] = root * lower * factor;
    values[2 * lanes + lane] = root * before * lowest * factor * factor;
  }
}

/// exp(−½t²) with t = (z − centre)/width.
void bump_row(double centre, double width, double mean, double factor, const double* y, double* values) {
  const double per_width = factor / width;
  for (int lane = 0; lane < lanes; lane += v::width<double>) {
    const v::Vector<double> t = (v::load(y + lane) - mean) * per_width - centre / width;
    const v::Vector<double> value = v::exp(-0.5 * t * t);
    v::store(values + lane, value);
    v::store(values + lanes + lane, -t * value * per_width);
    v::store(values + 2 * lanes + lane, (t * t - 1.0) * value * (per_width * per_width));
  }
}

}  // namespace gfdt::control_variate::GFDT_LANES_NAMESPACE

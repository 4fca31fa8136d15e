// Compiled once for each instruction set.
#include "gfdt/control_variate/dictionary/product_rows.hpp"

namespace gfdt::control_variate::GFDT_LANES_NAMESPACE {
namespace {

/// Product of the values of all factors except a and b.
inline __attribute__((always_inline)) double others(const ProductRows& p, int a, int b, int lane) {
  double product = 1;
  for (int i = 0; i < p.factors; ++i)
    if (i != a && i != b) product *= p.factor[i].value[lane];
  return product;
}

template <int factors>
void apply(ProductRows p, double* out) {
  p.factors = factors;
  for (int a = 0; a < factors; ++a) {
    const FactorRows& f = p.factor[a];
    const double* own = p.coupling[a][a];
    if (own)
      for (int lane = 0; lane < lanes; ++lane)
        out[lane] += (f.slope[lane] * f.applied[lane] + 0.5 * f.curvature[lane] * own[lane]) * others(p, a, a, lane);
    else
      for (int lane = 0; lane < lanes; ++lane) out[lane] += f.slope[lane] * f.applied[lane] * others(p, a, a, lane);
    for (int b = a + 1; b < factors; ++b) {
      const double* both = p.coupling[a][b];
      if (!both) continue;
      for (int lane = 0; lane < lanes; ++lane)
        out[lane] += f.slope[lane] * p.factor[b].slope[lane] * both[lane] * others(p, a, b, lane);
    }
  }
}

template <int factors>
void differentiate(ProductRows p, double* slopes, double* curvatures) {
  p.factors = factors;
  for (int a = 0; a < factors; ++a) {
    const FactorRows& f = p.factor[a];
    for (int lane = 0; lane < lanes; ++lane) slopes[a * lanes + lane] = f.slope[lane] * others(p, a, a, lane);
    for (int b = a; b < factors; ++b) {
      if (!p.coupling[a][b]) continue;
      double* const to = curvatures + (a * 4 + b) * lanes;
      if (a == b)
        for (int lane = 0; lane < lanes; ++lane) to[lane] = 0.5 * f.curvature[lane] * others(p, a, a, lane);
      else
        for (int lane = 0; lane < lanes; ++lane)
          to[lane] = f.slope[lane] * p.factor[b].slope[lane] * others(p, a, b, lane);
    }
  }
}

}  // namespace

/// out += the operator applied to the product.
void apply_operator(const ProductRows& p, double* out) {
  switch (p.factors) {
    case 1:
      return apply<1>(p, out);
    case 2:
      return apply<2>(p, out);
    case 3:
      return apply<3>(p, out);
    default:
      return apply<4>(p, out);
  }
}

/// Slopes along each factor's coordinate, [factor][lane], and the multipliers of the couplings, [factor][factor][lane]:
/// half the curvature, or the mixed derivative. Entries without a coupling are not written.
void derivatives(const ProductRows& p, double* slopes, double* curvatures) {
  switch (p.factors) {
    case 1:
      return differentiate<1>(p, slopes, curvatures);
    case 2:
      return differentiate<2>(p, slopes, curvatures);
    case 3:
      return differentiate<3>(p, slopes, curvatures);
    default:
      return differentiate<4>(p, slopes, curvatures);
  }
}

/// to += factor·from
void add_multiple(double factor, const double* from, double* to) {
  for (int lane = 0; lane < lanes; ++lane) to[lane] += factor * from[lane];
}

/// to += a·b
void add_product(const double* a, const double* b, double* to) {
  for (int lane = 0; lane < lanes; ++lane) to[lane] += a[lane] * b[lane];
}

}  // namespace gfdt::control_variate::GFDT_LANES_NAMESPACE

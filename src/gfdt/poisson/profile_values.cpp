#include "gfdt/poisson/profile_values.hpp"

#include <cmath>

#include "gfdt/poisson/product_rows.hpp"

namespace gfdt::poisson {
namespace {

/// Of z; derivatives by it.
struct Jet {
  double value, slope, curvature;
};

Jet power(int order, double z) {
  if (order == 1) return {z, 1, 0};
  double lowest = 1;
  for (int i = 2; i < order; ++i) lowest *= z;
  return {lowest * z * z, order * lowest * z, order * (order - 1) * lowest};
}

Jet bump(const Profile& profile, double z) {
  const double t = (z - profile.centre) / profile.width, value = std::exp(-0.5 * t * t);
  return {value, -t * value / profile.width, (t * t - 1) * value / (profile.width * profile.width)};
}

/// Orthonormal Hermite polynomials of z: √n h_n = z h_{n−1} − √(n−1) h_{n−2}, h_n′ = √n h_{n−1}. Those of lower degrees
/// stand before it.
void hermite_row(int n, const Spread& spread, const double* y, double* values) {
  const double factor = 1 / spread.std, root = std::sqrt(n), before = std::sqrt(n - 1);
  const double* const first = n > 1 ? values - 3 * lanes : nullptr;
  const double* const second = n > 2 ? values - 6 * lanes : nullptr;
  for (int lane = 0; lane < lanes; ++lane) {
    const double z = (y[lane] - spread.mean) * factor;
    const double lower = n > 1 ? first[lane] : 1, lowest = n > 2 ? second[lane] : n == 2 ? 1 : 0;
    values[lane] = (z * lower - before * lowest) / root;
    values[lanes + lane] = root * lower * factor;
    values[2 * lanes + lane] = root * before * lowest * factor * factor;
  }
}

}  // namespace

void profile_values(const std::vector<Profile>& profiles, std::size_t count, const Spread& spread, const double* y,
                    double* values) {
  const double factor = 1 / spread.std;
  for (std::size_t n = 0; n < count; ++n, values += 3 * lanes) {
    if (profiles[n].shape == Profile::Shape::hermite) {
      hermite_row(profiles[n].order, spread, y, values);
      continue;
    }
    for (int lane = 0; lane < lanes; ++lane) {
      const double z = (y[lane] - spread.mean) * factor;
      const Jet at = profiles[n].shape == Profile::Shape::power ? power(profiles[n].order, z) : bump(profiles[n], z);
      values[lane] = at.value;
      values[lanes + lane] = at.slope * factor;
      values[2 * lanes + lane] = at.curvature * factor * factor;
    }
  }
}

}  // namespace gfdt::poisson

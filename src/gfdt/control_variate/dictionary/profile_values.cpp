#include "gfdt/control_variate/dictionary/profile_values.hpp"

#include "gfdt/control_variate/dictionary/product_rows.hpp"

#include "gfdt/codegen/lanes/isa.hpp"

namespace gfdt::control_variate {

GFDT_DECLARE_FOR_EACH_ISA(void hermite_row(int n, double mean, double factor, const double* y, double* values);
                          void bump_row(double centre, double width, double mean, double factor, const double* y,
                                        double* values);)

namespace {

void power_row(int order, double mean, double factor, const double* y, double* values) {
  for (int lane = 0; lane < lanes; ++lane) {
    const double z = (y[lane] - mean) * factor;
    double lowest = 1;
    for (int i = 2; i < order; ++i) lowest *= z;
    values[lane] = order == 1 ? z : lowest * z * z;
    values[lanes + lane] = order == 1 ? factor : order * lowest * z * factor;
    values[2 * lanes + lane] = order == 1 ? 0 : order * (order - 1) * lowest * factor * factor;
  }
}

}  // namespace

void profile_values(const std::vector<Profile>& profiles, std::size_t count, const Spread& spread, const double* y,
                    double* values) {
  static const auto hermite = GFDT_CHOOSE_ISA(lanes::best_isa(), hermite_row);
  static const auto bump = GFDT_CHOOSE_ISA(lanes::best_isa(), bump_row);
  const double factor = 1 / spread.std;
  for (std::size_t n = 0; n < count; ++n, values += 3 * lanes) {
    const Profile& profile = profiles[n];
    switch (profile.shape) {
      case Profile::Shape::hermite:
        hermite(profile.order, spread.mean, factor, y, values);
        break;
      case Profile::Shape::power:
        power_row(profile.order, spread.mean, factor, y, values);
        break;
      case Profile::Shape::bump:
        bump(profile.centre, profile.width, spread.mean, factor, y, values);
        break;
    }
  }
}

}  // namespace gfdt::control_variate

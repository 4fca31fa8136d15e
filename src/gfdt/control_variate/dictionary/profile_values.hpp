#pragma once

#include "gfdt/control_variate/dictionary/dictionary.hpp"

namespace gfdt::control_variate {

/// Values of the first `count` profiles and their first two derivatives with respect to the coordinate, at `lanes`
/// values of it, to [profile][value, slope, curvature][lane].
void profile_values(const std::vector<Profile>& profiles, std::size_t count, const Spread& spread, const double* y,
                    double* values);

}  // namespace gfdt::control_variate

#pragma once

#include "gfdt/control_variate/control_variate.hpp"
#include "gfdt/statistics/average.hpp"
#include "gfdt/statistics/observed_functions.hpp"
#include "gfdt/symbolic/expression/range.hpp"

namespace gfdt::control_variate {

/// The values that each observable can take at all, as far as its formula tells. Those that functions give are
/// unlimited.
std::vector<symbolic::Interval> ranges_of(const symbolic::Model& model, const statistics::ObservedFunctions& functions);

/// Values of quantities at samples, [quantity][sample].
std::vector<std::vector<double>> values_at(const score::Samples& samples, const Quantities& values, std::size_t count);

/// Estimates from the samples of a run how the distribution of each observable decays. Observables with a bounded range
/// are left out.
void judge_tails(const score::Samples& samples, const Quantities& values, const std::vector<symbolic::Interval>& ranges,
                 std::vector<statistics::Average>& observables);

}  // namespace gfdt::control_variate

#pragma once

#include "gfdt/control_variate/control_variate.hpp"
#include "gfdt/statistics/average.hpp"
#include "gfdt/statistics/observed_functions.hpp"
#include "gfdt/symbolic/expression/range.hpp"

namespace gfdt::control_variate {

/// The range of values of each observable, as far as its formula determines it; unlimited for observables that are
/// computed by functions.
std::vector<symbolic::Interval> ranges_of(const symbolic::Model& model, const statistics::ObservedFunctions& functions);

/// Values of quantities at samples, [quantity][sample].
std::vector<std::vector<double>> values_at(const score::Samples& samples, const Quantities& values, std::size_t count);

/// Estimates from samples how fast the tails of the distribution of each observable decay. Observables with a bounded
/// range are skipped.
void judge_tails(const score::Samples& samples, const Quantities& values, const std::vector<symbolic::Interval>& ranges,
                 std::vector<statistics::Average>& observables);

}  // namespace gfdt::control_variate

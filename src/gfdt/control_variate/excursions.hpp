#pragma once

#include <vector>

#include "gfdt/control_variate/fit/sample_sums.hpp"
#include "gfdt/score/estimators/samples.hpp"

namespace gfdt::control_variate {

/// States slightly beyond those that a run has visited, [state][component]: the most extreme samples along every
/// component (every field of a ring), with their distance from the mean increased. The values of a fitted function at
/// these states estimate the effect of an excursion that the run could have made but has not.
std::vector<double> excursions(const score::Samples& samples);

/// The largest deviation of y + Σ c f from `means` at these states, per target, over the coefficients of both halves,
/// each [function][target]. Targets of the second half begin at `second_half`.
std::vector<double> deviations_at_excursions(const score::Samples& samples, const DictionaryValues& values,
                                             const Targets& targets, std::size_t second_half,
                                             std::span<const Eigen::MatrixXd> coefficients,
                                             const std::vector<Averaged>& means);

}  // namespace gfdt::control_variate

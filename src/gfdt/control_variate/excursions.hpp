#pragma once

#include <vector>

#include "gfdt/control_variate/fit/sample_sums.hpp"
#include "gfdt/score/estimators/samples.hpp"

namespace gfdt::control_variate {

/// States a little further out than a run has been, [state][component]: its most extreme samples along every component
/// (every field of a ring), their distance from the mean stretched. What a fitted function does there tells what an
/// excursion would add that the run might have made and has not.
std::vector<double> excursions(const score::Samples& samples);

/// The largest deviation of y + Σ c f from `means` at such states, of every target, for the coefficients of either
/// half: [function][target] each. Targets of the second half begin at `second_half`.
std::vector<double> deviations_at_excursions(const score::Samples& samples, const DictionaryValues& values,
                                             const Targets& targets, std::size_t second_half,
                                             std::span<const Eigen::MatrixXd> coefficients,
                                             const std::vector<Averaged>& means);

}  // namespace gfdt::control_variate

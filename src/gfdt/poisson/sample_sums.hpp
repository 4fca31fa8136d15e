#pragma once

#include <functional>
#include <vector>

#include "gfdt/poisson/control_variate.hpp"
#include "gfdt/poisson/dictionary_values.hpp"
#include "gfdt/poisson/ridge_fit.hpp"

namespace gfdt::poisson {

/// Groups of samples are cut into parts, as many in each quarter: two halves for the cross-fit, each of two quarters
/// for the choice, and parts whose spread tells the error of a fit.
inline constexpr std::size_t quarters = 4, most_parts_a_quarter = 4;

/// Sums over samples of targets y and of the functions f = L φ of a dictionary.
struct SampleSums {
  std::vector<FunctionMoments> functions;                         ///< [part]
  std::vector<TargetMoments> targets;                             ///< [part]
  std::vector<std::vector<double>> function_means, target_means;  ///< [group][…]

  std::size_t parts() const { return functions.size(); }
  FunctionMoments functions_of(std::size_t quarter) const;
  TargetMoments targets_of(std::size_t quarter) const;
};

/// Targets at `lanes` states, [target][lane]: from the states [component][lane] and what the dictionary makes of them.
using TargetRows = std::function<void(const double* states, DictionaryValues::Memory& memory, double* values)>;

/// Where groups begin in samples, and the end.
std::vector<std::size_t> group_bounds(const score::Samples& samples);
std::size_t half_of(std::size_t group, std::size_t groups);

/// One pass over the samples; the same on any number of threads. `products`: whether Σf fᵀ is wanted.
SampleSums sum_samples(const score::Samples& samples, const DictionaryValues& values, std::size_t target_count,
                       const TargetRows& targets, bool products, int threads);

}  // namespace gfdt::poisson

#pragma once

#include <vector>

#include "gfdt/control_variate/fit/ridge_fit.hpp"
#include "gfdt/control_variate/fit/targets.hpp"

namespace gfdt::control_variate {

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

/// Where groups begin in samples, and the end.
std::vector<std::size_t> group_bounds(const score::Samples& samples);
std::size_t half_of(std::size_t group, std::size_t groups);

/// Who sums.
struct Workers {
  int threads = 0;                 ///< of the host; 0: all there are
  bool device = false;             ///< a GPU in their place, where it can
  double least_device_work = 1e9;  ///< multiplications; fewer are done before code for the GPU is compiled
};

/// One pass over the samples; the same on any number of threads. `products`: whether Σf fᵀ is wanted.
SampleSums sum_samples(const score::Samples& samples, const DictionaryValues& values, const Targets& targets,
                       bool products, const Workers& workers);

}  // namespace gfdt::control_variate

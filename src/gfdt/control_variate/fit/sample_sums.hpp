#pragma once

#include <vector>

#include "gfdt/control_variate/fit/ridge_fit.hpp"
#include "gfdt/control_variate/fit/targets.hpp"

namespace gfdt::control_variate {

/// Groups of samples are divided into parts, the same number in each quarter: two halves for the cross-fit, each of two
/// quarters for the selection. The spread over the parts gives the error of a fit.
inline constexpr std::size_t quarters = 4, most_parts_a_quarter = 4;

/// Sums over samples for targets y and for the functions f = L φ of a dictionary.
struct SampleSums {
  std::vector<FunctionMoments> functions;                         ///< [part]
  std::vector<TargetMoments> targets;                             ///< [part]
  std::vector<std::vector<double>> function_means, target_means;  ///< [group][…]

  std::size_t parts() const { return functions.size(); }
  FunctionMoments functions_of(std::size_t quarter) const;
  TargetMoments targets_of(std::size_t quarter) const;
};

/// The index of the first sample of each group, followed by the number of samples.
std::vector<std::size_t> group_bounds(const score::Samples& samples);
/// The half of the cross-fit, 0 or 1, to which a group belongs.
std::size_t half_of(std::size_t group, std::size_t groups);

/// Resources for the sums.
struct Workers {
  int threads = 0;                 ///< threads of the host; 0: all available
  bool device = false;             ///< whether a GPU is used instead, if possible
  double least_device_work = 1e9;  ///< multiplications below which compiling for the GPU takes too long
};

/// Makes one pass over the samples; the result does not depend on the number of threads. `products`: whether to compute
/// Σf fᵀ.
SampleSums sum_samples(const score::Samples& samples, const DictionaryValues& values, const Targets& targets,
                       bool products, const Workers& workers);

}  // namespace gfdt::control_variate

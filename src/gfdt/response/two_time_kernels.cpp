#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/jacobian/correlation/correlations.hpp"
#include "gfdt/response/two_time.hpp"

namespace gfdt::response {
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// Weights of the times up to the t-th with Σ_s w_s K(t, s) = ∫₀ᵗ K(t, u) f(u) du, exact for kernels that are piecewise
/// linear.
std::vector<double> weights_until(std::size_t t, const std::vector<double>& time, const Forcing& forcing) {
  std::vector<double> weights(t + 1, 0.0);
  for (std::size_t s = 0; s < t; ++s) {
    const double begin = time[s], end = time[s + 1], width = end - begin;
    const double rise = (forcing.double_integral(end) - forcing.double_integral(begin)) / width;
    weights[s] += rise - forcing.integral(begin);
    weights[s + 1] += forcing.integral(end) - rise;
  }
  return weights;
}

}  // namespace

bool TwoTimeKernels::usable() const {
  return !time.empty() &&
         std::ranges::none_of(diagnostics, [](const Diagnostic& f) { return f.verdict == Verdict::failed; });
}

jacobian::Estimate TwoTimeKernels::sum(std::size_t which, std::size_t t, const std::vector<double>& weights) const {
  const std::size_t n = time.size(), begin = (which * n + t) * n;
  const auto of = [&](const Part& part) {
    const auto total = [&](const std::vector<double>& values) {
      double result = 0;
      for (std::size_t s = 0; s < weights.size(); ++s)
        if (weights[s] != 0) result += weights[s] * values[begin + s];
      return result;
    };
    std::vector<double> influences;
    for (const std::vector<double>& influence : part.influence) influences.push_back(total(influence));
    return jacobian::Estimate{total(part.value), jacobian::spread(influences)};
  };
  if (!missing[which % parameters].empty()) return {not_known, not_known};
  if (kernels.value.empty()) return {};
  jacobian::Estimate result = of(kernels);
  if (!difference.value.empty())
    result.standard_error = std::hypot(result.standard_error, jacobian::score_error(of(difference)));
  return result;
}

jacobian::Estimate TwoTimeKernels::kernel(std::size_t observable, std::size_t parameter, std::size_t t,
                                          std::size_t s) const {
  if (s < first_known) return {not_known, not_known};
  std::vector<double> weights(s + 1, 0.0);
  weights[s] = 1;
  return sum(entry(observable, parameter), t, weights);
}

std::vector<jacobian::Estimate> TwoTimeKernels::forced_response(std::size_t observable, std::size_t parameter,
                                                                const Forcing& forcing) const {
  std::vector<jacobian::Estimate> result;
  for (std::size_t t = 0; t < time.size(); ++t) {
    std::vector<double> weights = weights_until(t, time, forcing);
    for (std::size_t s = 0; s < first_known && t > 0; ++s) {
      weights[first_known] += weights[s];
      weights[s] = 0;
    }
    jacobian::Estimate& at = result.emplace_back();
    if (t > 0) at = sum(entry(observable, parameter), t, weights);
    const jacobian::Estimate& own = direct[entry(observable, parameter)][t];
    at.value += forcing.at(time[t]) * own.value;
    at.standard_error = std::hypot(at.standard_error, forcing.at(time[t]) * own.standard_error);
  }
  return result;
}

}  // namespace gfdt::response

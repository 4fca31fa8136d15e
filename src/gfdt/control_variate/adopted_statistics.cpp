#include "gfdt/control_variate/adopted_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gfdt::control_variate {
namespace {

/// Share of the standard deviation of A below which A + L u counts as nearly constant.
constexpr double nearly_constant_share = 0.05;

/// Largest difference between averages with and without L u, in standard errors and in standard deviations of A.
constexpr double visible = 4, largest_bias = 0.1;

/// Covariance of the errors of all averages as they are reported.
std::vector<double> covariance_of(const ControlVariate& fit, const statistics::EnsembleStatistics& run) {
  std::vector<std::vector<double>> influences;
  std::vector<double> errors;
  for (std::size_t m = 0; m < run.observables.size(); ++m) {
    const bool controlled = run.observables[m].plain.has_value();
    const Averaged& average = controlled ? fit.statistics[m] : fit.plain[m];
    errors.push_back(run.observables[m].standard_error);
    influences.push_back(average.influence);
    if (!controlled && average.standard_error > 0)
      for (double& influence : influences.back()) influence *= errors.back() / average.standard_error;
  }
  return statistics::covariance_of_influences(influences, errors);
}

bool contradicts(const Averaged& controlled, const Averaged& plain, double deviation) {
  double squares = 0;
  for (std::size_t g = 0; g < plain.influence.size(); ++g)
    squares += std::pow(controlled.influence[g] - plain.influence[g], 2);
  return std::abs(controlled.value - plain.value) > std::max(visible * std::sqrt(squares), largest_bias * deviation);
}

}  // namespace

std::optional<std::size_t> contradiction(const ControlVariate& fit, const statistics::EnsembleStatistics& run) {
  for (std::size_t m = 0; m < run.observables.size(); ++m) {
    const statistics::Average& average = run.observables[m];
    if (average.mixing == statistics::Mixing::mixed &&
        contradicts(fit.statistics[m], fit.plain[m], average.standard_deviation))
      return m;
  }
  return {};
}

void adopt(const ControlVariate& fit, const std::vector<symbolic::Interval>& ranges,
           statistics::EnsembleStatistics& run) {
  bool any = false;
  for (std::size_t m = 0; m < run.observables.size(); ++m) {
    statistics::Average& average = run.observables[m];
    const Averaged& reduced = fit.statistics[m];
    // If A + L u is nearly constant, its average does not depend on how the members are distributed over the states.
    const bool nearly_constant = fit.share[m] < nearly_constant_share;
    if (fit.functions[m] == 0 || !(reduced.standard_error < average.standard_error) || average.never_varied ||
        !(average.usable() || nearly_constant) || (average.tail && average.tail->may_have_no_mean()) ||
        !ranges[m].contains(reduced.value))
      continue;
    average.plain = {average.mean, average.standard_error};
    average.mean = reduced.value;
    average.standard_error = reduced.standard_error;
    average.sampling_error = reduced.sampling_error;
    average.degrees_of_freedom = fit.degrees_of_freedom;
    average.effective_samples = std::pow(average.standard_deviation / average.standard_error, 2);
    if (nearly_constant) average.mixing = statistics::Mixing::mixed;
    any = true;
  }
  if (any) run.mean_covariance = covariance_of(fit, run);
  for (statistics::Average& average : run.observables)
    if (average.has_no_mean()) average.standard_error = std::numeric_limits<double>::infinity();
}

}  // namespace gfdt::control_variate

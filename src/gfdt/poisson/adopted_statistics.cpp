#include "gfdt/poisson/adopted_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gfdt::poisson {
namespace {

/// Of the standard deviation of an observable, that is left of A + L u.
constexpr double nearly_constant_share = 0.05;

/// Of the errors of all averages, as they are reported.
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

}  // namespace

void adopt(const ControlVariate& fit, const std::vector<expression::Interval>& ranges,
           statistics::EnsembleStatistics& run) {
  bool any = false;
  for (std::size_t m = 0; m < run.observables.size(); ++m) {
    statistics::Average& average = run.observables[m];
    const Averaged& reduced = fit.statistics[m];
    // Where A + L u is nearly constant, its average does not depend on how the members are spread over the states.
    const bool nearly_constant = fit.share[m] < nearly_constant_share;
    if (!(reduced.standard_error < average.standard_error) || average.never_varied ||
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

}  // namespace gfdt::poisson

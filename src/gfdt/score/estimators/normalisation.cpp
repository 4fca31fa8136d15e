#include "gfdt/score/estimators/normalisation.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/score/estimators/moments.hpp"

namespace gfdt::score {
namespace {

/// The mean over samples of f(component, x), pooled over the sites of each field.
template <class Function>
std::vector<double> pooled_mean(const Samples& samples, const Function& f) {
  const std::size_t d = static_cast<std::size_t>(samples.dimension());
  const std::size_t sites = static_cast<std::size_t>(samples.arrangement.sites);
  std::vector<double> totals =
      sum_over_samples(samples.size(), d, [&](std::size_t begin, std::size_t end, double* partial) {
        for (std::size_t sample = begin; sample < end; ++sample)
          for (std::size_t i = 0; i < d; ++i) partial[i] += f(i, samples[sample][i]);
      });
  const double count = static_cast<double>(samples.size()) * static_cast<double>(sites);
  for (std::size_t field = 0; field < d; field += sites) {
    double total = 0;
    for (std::size_t i = field; i < field + sites; ++i) total += totals[i];
    for (std::size_t i = field; i < field + sites; ++i) totals[i] = total / count;
  }
  return totals;
}

}  // namespace

Normalisation normalisation_of(const Samples& samples) {
  if (samples.size() == 0) throw Error("There are no samples to normalise; make the run longer.");
  Normalisation result;
  result.mean = pooled_mean(samples, [](std::size_t, double x) { return x; });
  result.std =
      pooled_mean(samples, [&](std::size_t i, double x) { return (x - result.mean[i]) * (x - result.mean[i]); });
  for (std::size_t i = 0; i < result.std.size(); ++i) {
    result.std[i] = std::sqrt(result.std[i]);
    if (!(result.std[i] > 0 && std::isfinite(result.std[i])))
      throw Error(
          fmt::format("The standard deviation of {} over the samples is {}; remove it from the state or give it noise.",
                      samples.names[i], result.std[i]));
  }
  return result;
}

std::vector<float> normalised(const Samples& samples, const Normalisation& normalisation) {
  const std::size_t d = static_cast<std::size_t>(samples.dimension());
  std::vector<float> result(samples.values.size());
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<float>((samples.values[i] - normalisation.mean[i % d]) / normalisation.std[i % d]);
  return result;
}

}  // namespace gfdt::score

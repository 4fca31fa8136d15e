#include "gfdt/calibrate/ensemble_kalman/first_ensemble.hpp"

#include <algorithm>
#include <cmath>

namespace gfdt::calibrate {
namespace {

constexpr std::uint64_t attempts = 1000;

/// The normal distribution from which the first ensemble draws one parameter.
Prior first_law(const FreeParameter& parameter, const Options& options) {
  if (parameter.prior) return *parameter.prior;
  return {parameter.value, options.ensemble_spread * (parameter.value == 0 ? 1 : std::abs(parameter.value))};
}

/// A draw from this distribution inside the bounds. If nearly all draws lie outside, a value near the guess.
double first_value(const FreeParameter& parameter, const Options& options, const codegen::Stream& normals,
                   std::uint64_t position) {
  const Prior law = first_law(parameter, options);
  for (std::uint64_t attempt = 0; attempt < attempts; ++attempt) {
    const double value = law.mean + law.std * normals.normal(position + attempt);
    if (value > parameter.lower && value < parameter.upper) return value;
  }
  return parameter.natural(parameter.coordinate(parameter.value) + options.ensemble_spread * normals.normal(position));
}

}  // namespace

Members first_ensemble(const std::vector<FreeParameter>& parameters, const Options& options,
                       const codegen::Stream& normals) {
  const std::size_t p = parameters.size();
  const std::size_t size =
      options.ensemble > 0 ? static_cast<std::size_t>(options.ensemble) : std::max<std::size_t>(20, 10 * p);
  Members ensemble(size, std::vector<double>(p));
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < p; ++j)
      ensemble[i][j] = first_value(parameters[j], options, normals, (i * p + j) * attempts);
  return ensemble;
}

}  // namespace gfdt::calibrate

#include "gfdt/calibrate/first_ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/core/error.hpp"

namespace gfdt::calibrate {
namespace {

/// The normal law that the first ensemble has in one parameter.
Prior first_law(const FreeParameter& parameter, const Options& options) {
  if (parameter.prior) return *parameter.prior;
  return {parameter.value, options.ensemble_spread * (parameter.value == 0 ? 1 : std::abs(parameter.value))};
}

}  // namespace

Members first_ensemble(const std::vector<FreeParameter>& parameters, const Options& options,
                       const random::Stream& normals) {
  const std::size_t p = parameters.size();
  const std::size_t size =
      options.ensemble > 0 ? static_cast<std::size_t>(options.ensemble) : std::max<std::size_t>(20, 10 * p);
  constexpr std::uint64_t attempts = 1000;
  Members ensemble(size, std::vector<double>(p));
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < p; ++j) {
      const FreeParameter& parameter = parameters[j];
      const Prior law = first_law(parameter, options);
      std::uint64_t attempt = 0;
      double& value = ensemble[i][j];
      do {
        if (attempt == attempts)
          throw Error(
              fmt::format("A normal law with mean {:g} and standard deviation {:g} hardly ever lies inside the bounds "
                          "of '{}', {:g} to {:g}: its prior and its bounds contradict each other.",
                          law.mean, law.std, parameter.name, parameter.lower, parameter.upper));
        value = law.mean + law.std * normals.normal((i * p + j) * attempts + attempt++);
      } while (!(value > parameter.lower && value < parameter.upper));
    }
  return ensemble;
}

}  // namespace gfdt::calibrate
